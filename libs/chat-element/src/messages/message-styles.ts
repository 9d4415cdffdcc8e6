import { css } from 'lit';

const actionsBelow = css`
  .body {
    max-width: 85%;
  }

  .message .actions {
    position: static;
    display: none;
    justify-content: end;
  }

  .message:not(.own) .actions {
    justify-content: start;
  }

  .message:focus-within .actions {
    display: flex;
  }

  .actions .icon-button {
    width: var(--_target);
    height: var(--_target);
  }

  .actions waggle-menu {
    --_target: inherit;
  }
`;

export const messageStyles = css`
  .message {
    display: grid;
    grid-template-columns: calc(2 * var(--_rem)) minmax(0, 1fr);
    column-gap: 8px;
    padding-block: 1px;
    border-radius: var(--_radius);
    contain: layout style;
  }

  .message.starts {
    padding-block-start: var(--_pad);
  }

  .message:focus-visible {
    outline-offset: 0;
  }

  .message > .avatar {
    align-self: end;
    grid-column: 1;
  }

  .body {
    grid-column: 2;
    position: relative;
    justify-self: start;
    min-width: 0;
    --_beside: 104px;
    max-width: min(85%, calc(37.5 * var(--_rem)), 100% - var(--_beside));
  }

  .body:has(.actions > :nth-child(4)) {
    --_beside: 136px;
  }

  /* Two people know who writes what: they need no avatars. */
  .dm :is(.body, .reactions),
  .own :is(.body, .reactions) {
    grid-column: 1 / -1;
  }

  /* TouchGestures moves it sideways; a long press selects no text. */
  .message {
    touch-action: pan-y pinch-zoom;
  }

  @media (pointer: coarse) {
    .message {
      user-select: none;
      -webkit-touch-callout: none;
    }

    .message :is(a, img, pre, code) {
      user-select: text;
      -webkit-touch-callout: default;
    }

    .pressed .bubble {
      filter: brightness(0.92);
    }
  }

  .own .body {
    justify-self: end;
  }

  .bubble {
    width: fit-content;
    max-width: 100%;
    padding: calc(var(--_pad) - 2px) 12px var(--_pad);
    border-radius: var(--_radius);
    background: var(--_other);
    /* Marks that stack up stay inside the message. */
    contain: paint;
  }

  .own .bubble {
    margin-inline-start: auto;
    background: var(--_own);
  }

  .own.ends .bubble {
    border-end-end-radius: 4px;
  }

  .message.ends:not(.own) .bubble {
    border-end-start-radius: 4px;
  }

  .failed .bubble {
    outline: 1px solid var(--_danger);
    outline-offset: -1px;
  }

  .from {
    color: light-dark(oklch(from var(--_account) min(l, 0.5) c h), oklch(from var(--_account) 0.8 0.1 h));
    font-size: var(--_text-sm);
    font-weight: 600;
  }

  .quote {
    display: block;
    width: 100%;
    margin-block: 2px 4px;
    padding: 4px 8px;
    /* Its contrast with the background is at least 3 : 1. */
    --_line: var(--_account, var(--_accent-text));
    border-inline-start: 3px solid
      light-dark(oklch(from var(--_line) min(l, 0.6) c h), oklch(from var(--_line) max(l, 0.7) min(c, 0.14) h));
    border-radius: 4px;
    background: color-mix(in srgb, var(--_text) 5%, transparent);
    font-size: var(--_text-sm);
  }

  .own .quote {
    background: color-mix(in srgb, var(--_surface) 55%, transparent);
  }

  .quote:focus-visible {
    outline-offset: -2px;
  }

  .quote > * {
    display: block;
  }

  .author {
    color: light-dark(oklch(from var(--_account) min(l, 0.47) c h), oklch(from var(--_account) 0.82 0.1 h));
    font-weight: 600;
  }

  .quoted {
    color: color-mix(in srgb, var(--_muted) 60%, var(--_text));
    text-align: start;
  }

  /* Text and time have the direction of the text. */
  .content {
    unicode-bidi: plaintext;
    text-align: start;
  }

  .text {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }

  .text a {
    color: var(--_accent-text);
  }

  .text .mention {
    padding-inline: 2px;
    border-radius: 4px;
    background: color-mix(in srgb, var(--_accent) 14%, transparent);
    color: var(--_accent-text);
    font-weight: 600;
  }

  .message.mention .bubble {
    border-start-start-radius: 4px;
    border-end-start-radius: 4px;
    box-shadow: inset 3px 0 0 var(--_accent-text);
  }

  /* As far from that line as from the other edge. */
  .mention .attachments {
    margin-inline-start: -5px;
  }

  .message.mention:dir(rtl) .bubble {
    box-shadow: inset -3px 0 0 var(--_accent-text);
  }

  .text :is([data-account], [data-community]) {
    white-space: nowrap;
  }

  .text :is(pre, blockquote) {
    margin: 4px 0;
  }

  .text > :first-child {
    margin-block-start: 0;
  }

  .text > :last-child {
    margin-block-end: 0;
  }

  /* The time stays beside the last line. */
  .text > p:last-child {
    display: inline;
  }

  .text .host {
    color: color-mix(in srgb, var(--_muted) 60%, var(--_text));
  }

  .text code {
    padding: 1px 4px;
    border-radius: 4px;
    background: color-mix(in srgb, var(--_text) 8%, transparent);
    font-family: ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace;
    font-size: 0.9em;
    -webkit-box-decoration-break: clone;
    box-decoration-break: clone;
  }

  .text pre {
    padding: 4px 8px;
    border-radius: 4px;
    background: color-mix(in srgb, var(--_text) 8%, transparent);
    white-space: pre-wrap;
  }

  .text pre code {
    padding: 0;
    background: none;
  }

  .text blockquote {
    padding-inline-start: 8px;
    border-inline-start: 3px solid color-mix(in srgb, var(--_muted) 60%, transparent);
  }

  .text :is(ul, ol) {
    padding-inline-start: 1.5em;
    list-style: disc;
    white-space: normal;
  }

  .text li {
    white-space: pre-wrap;
  }

  /* Three digits fit. */
  .text ol {
    padding-inline-start: 2.5em;
    list-style: decimal;
  }

  .meta {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    float: inline-end;
    margin-block-start: 4px;
    margin-inline-start: 12px;
    color: color-mix(in srgb, var(--_muted) 85%, var(--_text));
    font-size: var(--_text-xs);
    line-height: 1.5;
    user-select: none;
  }

  .edited:hover {
    text-decoration: underline;
  }

  .edited:focus-visible {
    outline-offset: -1px;
  }

  /* Higher than its line, without an effect on the line. */
  @media (pointer: coarse) {
    .edited {
      padding: 18px 4px 8px;
      margin: -18px -4px -8px;
    }
  }

  /* A tick makes no line higher. */
  .meta span {
    display: grid;
  }

  .meta .read {
    color: var(--_accent-text);
  }

  .meta .failed-mark {
    color: var(--_danger);
  }

  .reactions {
    display: flex;
    flex-wrap: wrap;
    grid-column: 2;
    gap: 4px;
    margin-block: 4px 2px;
  }

  .own .reactions {
    justify-content: end;
  }

  .reaction:disabled {
    opacity: 1;
  }

  .reaction span {
    display: block;
    padding: 2px 8px;
    border: 1px solid var(--_border);
    border-radius: 14px;
    background: var(--_raised);
    font-size: var(--_text-sm);
    line-height: calc(1.375 * var(--_rem));
    font-variant-numeric: tabular-nums;
  }

  .reaction:hover:enabled span {
    background: var(--_hover);
  }

  .reaction[aria-pressed='true'] span {
    border-color: var(--_accent-text);
    background: var(--_selected);
    color: var(--_accent-text);
    font-weight: 600;
  }

  /* A finger needs more than what is drawn. */
  @media (pointer: coarse) {
    .reactions {
      margin-block: -2px -4px;
    }

    .reaction {
      min-width: var(--_target);
      min-height: var(--_target);
    }
  }

  /* Beside the message, which leaves room for them. */
  .actions {
    position: absolute;
    z-index: 1;
    inset-block: 0;
    inset-inline: calc(100% + 4px) auto;
    display: flex;
    align-items: center;
    visibility: hidden;
  }

  .own .actions {
    inset-inline: auto calc(100% + 4px);
  }

  .message:hover .actions,
  .message:focus-within .actions {
    visibility: visible;
  }

  .actions .icon-button {
    width: 32px;
    height: 32px;
  }

  .actions waggle-menu {
    --_target: 32px;
  }

  /* Without space beside the message, they appear below the message that has the focus. */
  @container (width < 560px) {
    ${actionsBelow}
  }

  @media (hover: none) {
    ${actionsBelow}
  }

  /* Without backgrounds, borders separate the messages. */
  @media (forced-colors: active) {
    .bubble {
      border: 1px solid CanvasText;
    }

    .own .bubble {
      border-width: 2px;
    }

    .message.mention .bubble {
      border-inline-start-width: 4px;
    }

    .reaction[aria-pressed='true'] span {
      outline: 1px solid Highlight;
      border-color: Highlight;
    }
  }

  .failure {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    align-items: center;
    gap: 4px 12px;
    grid-column: 1 / -1;
    font-size: var(--_text-sm);
  }

  .failure button {
    min-height: 24px;
    color: var(--_accent-text);
    font-weight: 600;
  }

  @media (pointer: coarse) {
    .failure button {
      min-width: var(--_target);
      min-height: var(--_target);
    }
  }
`;
