import { css } from 'lit';

/** The list itself; `messageStyles` are for the messages in it. */
export const messageListStyles = css`
  :host {
    position: relative;
    display: grid;
    grid-template-rows: auto minmax(0, 1fr) auto;
    grid-template-columns: minmax(0, 1fr);
    min-height: 0;
    background: var(--_canvas);
  }

  /* Beside the messages: over them it would hide text. */
  .bar {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 4px 8px;
    padding: 4px 16px;
    border-block-end: 1px solid var(--_border);
    background: var(--_raised);
  }

  .bar.below {
    grid-row: 3;
    border-block: 1px solid var(--_border);
    border-block-end: 0;
  }

  .scroller {
    grid-row: 2;
    overflow-x: hidden;
    overflow-y: scroll;
    overscroll-behavior: contain;
    /* ScrollPosition keeps the rows in place, in all browsers alike. */
    overflow-anchor: none;
  }

  @media print {
    .scroller {
      height: auto;
      overflow: visible;
    }

    .bar {
      display: none;
    }
  }

  .scroller:focus-visible {
    outline-offset: -2px;
  }

  .column {
    position: relative;
    display: flex;
    flex-direction: column;
    justify-content: flex-end;
    min-height: 100%;
    max-width: 860px;
    margin-inline: auto;
    padding: 0 16px 8px;
  }

  .edge {
    display: grid;
    place-items: center;
    min-height: 48px;
    padding: 8px;
    text-align: center;
  }

  .beginning {
    padding-block: 32px 16px;
  }

  .beginning .avatar {
    margin-block-end: 8px;
  }

  .beginning strong {
    max-width: 100%;
    contain: paint;
    font-size: var(--_text-lg);
    overflow-wrap: anywhere;
  }

  .day {
    width: fit-content;
    margin: 16px auto 8px;
    padding: 2px 12px;
    border-radius: 12px;
    background: light-dark(
      color-mix(in srgb, var(--_canvas) 92%, var(--_text)),
      color-mix(in srgb, var(--_canvas) 80%, var(--_text))
    );
    font-size: var(--_text-sm);
    font-weight: 600;
  }

  .change {
    padding-block: 12px 4px;
    color: var(--_muted);
    font-size: var(--_text-sm);
    text-align: center;
    overflow-wrap: anywhere;
  }

  .change time {
    margin-inline-start: 4px;
    font-size: var(--_text-xs);
    white-space: nowrap;
  }

  .unread {
    display: flex;
    align-items: center;
    gap: 8px;
    margin-block: 16px 8px;
    color: var(--_accent-text);
    font-size: var(--_text-sm);
    font-weight: 600;
  }

  .unread::before,
  .unread::after {
    content: '';
    flex: 1;
    border-block-start: 1px solid currentColor;
    opacity: 0.5;
  }
`;
