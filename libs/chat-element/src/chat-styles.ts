import { css } from 'lit';

/** The layout of the whole client: one pane, two or three beside one another, by the width of the element. */
export const chatStyles = css`
  :host {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    grid-template-columns: minmax(0, 1fr);
    height: 100%;
    min-height: 320px;
    overflow: hidden;
    background: var(--_canvas);
    container: waggle-chat / inline-size;
  }

  .panes {
    grid-row: 2;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    grid-template-rows: minmax(0, 1fr);
    min-height: 0;
  }

  /* A click beside the controls puts the focus here, so that Escape works. */
  .panes:focus {
    outline: none;
  }

  .pane {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    grid-template-columns: minmax(0, 1fr);
    min-width: 0;
    min-height: 0;
    background: var(--_surface);
  }

  .list {
    display: grid;
    grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    min-width: 0;
    min-height: 0;
  }

  [hidden] {
    display: none;
  }

  .pane > header {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: max(64px, calc(3.75 * var(--_rem)));
    padding: 8px 16px;
  }

  .pane h2 {
    font-size: var(--_text-lg);
  }

  .brand {
    font-size: var(--_text-lg);
  }

  .brand :is(img, svg) {
    width: 1.4em;
    height: 1.4em;
  }

  /* The account, and its settings. */
  .me {
    display: flex;
    align-items: center;
    gap: 6px;
    min-height: var(--_target);
    padding: 4px;
    padding-inline-end: 8px;
    margin-inline-start: -4px;
    border-radius: 1.5em;
    color: var(--_muted);
  }

  .me:hover {
    background: var(--_hover);
    color: var(--_text);
  }

  .icon-button {
    position: relative;
  }

  .icon-button .badge {
    position: absolute;
    inset-block-start: -2px;
    inset-inline-end: -2px;
    box-sizing: content-box;
    min-width: 10px;
    padding: 0 4px;
    border: 2px solid var(--_surface);
    line-height: 18px;
  }

  .main {
    min-width: 0;
    min-height: 0;
  }

  .main .empty {
    align-content: center;
    height: 100%;
  }

  .welcome strong {
    font-size: var(--_text-xl);
  }

  .welcome .brand {
    font-size: calc(2.75 * var(--_rem));
  }

  :is(.welcome .row, .begin) {
    flex-wrap: wrap;
    justify-content: center;
  }

  /* Beside the buttons the name would be cut off: it remains for screen readers. */
  @container waggle-chat (width < 360px) or (720px <= width < 1080px) {
    .pane > header .brand .ellipsis {
      position: absolute;
      width: 1px;
      height: 1px;
      clip-path: inset(50%);
    }
  }

  /* One pane: the topmost. */
  @container waggle-chat (width < 720px) {
    .panes:not(.shows-list) .list,
    .panes:not(.shows-main) .main,
    .panes:not(.shows-details) .aside {
      display: none;
    }

    /* A pane comes from the end of the line, and the one below it from the beginning. */
    .panes:is(.forward, .back) :is(.list > .pane, .main, .aside) {
      animation: arrive var(--_slow) var(--_ease);
    }

    .panes.back {
      --_side: -1;
    }
  }

  @keyframes arrive {
    from {
      opacity: 0;
      translate: calc(var(--_side, 1) * var(--_line, 1) * 32px);
    }
  }

  :host(:dir(rtl)) {
    --_line: -1;
  }

  /* Two panes; details cover the conversation. */
  @container waggle-chat (min-width: 720px) {
    .panes {
      grid-template-columns: clamp(312px, 32cqi, 360px) minmax(0, 1fr);
    }

    .list {
      border-inline-end: 1px solid var(--_border);
    }

    .panes.details .main {
      display: none;
    }

    waggle-conversation::part(back),
    waggle-conversation-list::part(begin),
    .begin {
      display: none;
    }
  }

  /* Three panes. */
  @container waggle-chat (min-width: 1080px) {
    .panes.details {
      grid-template-columns: clamp(312px, 32cqi, 360px) minmax(0, 1fr) minmax(280px, 340px);
    }

    .panes.details .main {
      display: block;
    }

    .aside {
      border-inline-start: 1px solid var(--_border);
    }

    .aside > header {
      border-block-end: 1px solid var(--_border);
    }
  }

  /* The conversation alone. */
  @media print {
    :host,
    .panes,
    .main {
      display: block;
      height: auto;
      overflow: visible;
    }

    .notice,
    .panes.open .list,
    .panes .aside {
      display: none;
    }
  }

  .notice {
    grid-row: 1;
    padding: 4px 16px;
    background: var(--_warning);
    color: var(--_on-warning);
    font-size: var(--_text-sm);
    text-align: center;
    text-wrap: balance;
  }

  waggle-sign-in,
  .starting {
    grid-row: 1 / -1;
    align-content: safe center;
  }
`;
