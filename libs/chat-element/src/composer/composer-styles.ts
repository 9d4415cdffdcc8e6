import { css } from 'lit';

/** The field for writing, its buttons, and what the message is about. */
export const composerStyles = css`
  :host {
    display: block;
  }

  form {
    position: relative;
    border-block-start: 1px solid var(--_border);
    background: var(--_surface);
  }

  /* As wide as the messages. */
  .row {
    align-items: end;
    max-width: 860px;
    margin-inline: auto;
    padding: 8px 16px;
    padding-block-end: max(8px, env(safe-area-inset-bottom));
  }

  /* On a small phone the buttons leave space for the text. */
  @container (width < 400px) {
    .row {
      gap: 2px;
      padding-inline: 8px;
    }
  }

  textarea.field {
    display: block;
    flex: 1;
    min-width: 0;
    height: var(--_target);
    max-height: calc(12.5 * var(--_rem));
    padding: calc((var(--_target) - 1.4em - 2px) / 2) 16px;
    border-radius: calc(var(--_target) / 2);
    resize: none;
    overflow-y: auto;
  }

  .send:enabled {
    background: var(--_accent);
    color: var(--_on-accent);
  }

  .send:enabled:hover {
    background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
  }

  @media (forced-colors: active) {
    .send:enabled {
      border: 1px solid;
    }
  }

  .about {
    display: flex;
    align-items: center;
    gap: 8px;
    max-width: 860px;
    margin-inline: auto;
    padding: 4px 16px 0;
    color: var(--_accent-text);
    font-size: var(--_text-sm);
  }

  .about[hidden] {
    display: none;
  }

  form > .error {
    max-width: 860px;
    margin-inline: auto;
    padding: 4px 16px 0;
    font-size: var(--_text-sm);
  }

  .about svg {
    flex: none;
  }

  .about strong {
    font-weight: 600;
  }

  .about .quoted {
    display: block;
    color: var(--_muted);
    text-align: start;
  }

  .counter {
    padding-inline: 16px;
    background: var(--_surface);
    text-align: end;
  }
`;
