import { css } from 'lit';

/** The frame around messages and composer: the header, the pinned message and notices. */
export const conversationStyles = css`
  .loading {
    position: relative;
    grid-row: 1 / -1;
  }

  :host {
    position: relative;
    display: grid;
    grid-template-rows: auto minmax(0, 1fr) auto auto;
    grid-template-columns: minmax(0, 1fr);
    height: 100%;
    min-height: 0;
    background: var(--_canvas);
    container-type: inline-size;
  }

  header {
    display: flex;
    align-items: center;
    gap: 8px;
    /* With its line as high as the headers of the other panes, for each text size. */
    min-height: max(64px, calc(3.75 * var(--_rem)));
    padding: 8px 16px 7px;
    border-block-end: 1px solid var(--_border);
    background: var(--_surface);
  }

  .title {
    display: flex;
    align-items: center;
    gap: 12px;
    padding: 4px 8px;
    margin: -1px -8px;
    border-radius: 8px;
  }

  .title:hover {
    background: var(--_hover);
  }

  h2 {
    font-size: var(--_text-lg);
    line-height: 1.3;
  }

  .hint {
    display: grid;
    padding: 10px;
    border-radius: 50%;
    color: var(--_muted);
  }

  @container (width < 480px) {
    .hint {
      display: none;
    }
  }

  /* On a small phone the space is for the name. The icons are still apart: their buttons are larger. */
  @container (width < 360px) {
    header {
      gap: 0;
    }

    .title {
      padding-inline: 0;
      margin-inline: 0;
    }

    :host(:state(large)) .title .avatar {
      display: none;
    }
  }

  [aria-expanded='true'] .hint {
    background: var(--_selected);
    color: var(--_text);
  }

  .title .muted {
    display: block;
    line-height: 1.3;
  }

  .pinned {
    display: flex;
    align-items: center;
    gap: 12px;
    width: 100%;
    padding: 6px 20px;
    border-block-end: 1px solid var(--_border);
    background: var(--_surface);
    color: var(--_accent-text);
    font-size: var(--_text-sm);
    text-align: start;
  }

  .pinned:hover {
    background: var(--_hover);
  }

  .pinned .ellipsis {
    display: block;
  }

  .error {
    padding: 8px 16px;
    background: var(--_surface);
  }

  .notice {
    padding: 16px;
    border-block-start: 1px solid var(--_border);
    background: var(--_surface);
    text-align: center;
  }

  .drop {
    position: absolute;
    z-index: 2;
    inset: 8px;
    display: grid;
    place-items: center;
    border: 2px dashed var(--_accent-text);
    border-radius: var(--_radius);
    background: color-mix(in srgb, var(--_raised) 88%, transparent);
    color: var(--_accent-text);
    font-weight: 600;
    pointer-events: none;
  }

  @media print {
    :host {
      display: block;
      height: auto;
    }

    waggle-composer {
      display: none;
    }
  }

  .back {
    display: none;
  }

  :host([can-go-back]) .back {
    display: inline-grid;
  }
`;
