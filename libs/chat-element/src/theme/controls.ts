import { css } from 'lit';

/** Buttons, fields and texts that all elements share. */
export const controls = css`
  button,
  input,
  textarea {
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
  }

  button {
    border: 0;
    background: none;
    padding: 0;
    cursor: pointer;
    text-align: start;
  }

  button:disabled {
    cursor: default;
    opacity: 0.6;
  }

  /* Empties a search. The browser's own has a color of its own. */
  ::-webkit-search-cancel-button {
    appearance: none;
    width: 14px;
    height: 14px;
    background: var(--_muted);
    clip-path: polygon(
      8% 0,
      50% 42%,
      92% 0,
      100% 8%,
      58% 50%,
      100% 92%,
      92% 100%,
      50% 58%,
      8% 100%,
      0 92%,
      42% 50%,
      0 8%
    );
    cursor: pointer;
    forced-color-adjust: none;
  }

  :focus-visible {
    outline: 2px solid var(--_accent-text);
    outline-offset: 2px;
  }

  :host(:focus-visible),
  h1:focus-visible {
    outline: none;
  }

  h1,
  h2,
  h3,
  p,
  ul,
  ol {
    margin: 0;
    padding: 0;
  }

  ul,
  ol {
    list-style: none;
  }

  h1,
  h2,
  h3 {
    font-size: inherit;
    font-weight: 600;
  }

  .icon-button {
    display: inline-grid;
    place-items: center;
    flex: none;
    width: var(--_target);
    height: var(--_target);
    border-radius: 50%;
    color: var(--_muted);
  }

  .icon-button:hover {
    background: var(--_hover);
    color: var(--_text);
  }

  /* Its icon, not its round background, is 16 pixels from the edge of the pane. */
  header > :is(.icon-button, waggle-menu):last-child,
  .entry > :is(.icon-button, waggle-menu),
  .entry .actions > .icon-button:last-child {
    margin-inline-end: calc((20px - var(--_target)) / 2);
  }

  header > .icon-button:first-child {
    margin-inline-start: calc((20px - var(--_target)) / 2);
  }

  .directional:dir(rtl) {
    transform: scaleX(-1);
  }

  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
    min-height: var(--_target);
    padding: 8px 16px;
    border-radius: 8px;
    border: 1px solid color-mix(in oklab, var(--_border), var(--_field));
    background: var(--_raised);
    color: var(--_text);
    font-weight: 600;
    text-align: center;
  }

  /* One width for short words, so that fields above each other are equally long. */
  .row .button {
    flex: none;
    min-width: calc(5.5 * var(--_rem));
  }

  /* In a line of text above or below what it is about. */
  :is(.bar, .notice, .unlisted) .button {
    min-height: calc(var(--_target) - 8px);
    padding: 4px 12px;
    font-size: var(--_text-sm);
  }

  @media (pointer: coarse) {
    :is(.bar, .notice, .unlisted) .button {
      min-height: var(--_target);
    }
  }

  .button:hover:not(:disabled) {
    background: var(--_hover);
  }

  .button.primary,
  .row .field:not(:placeholder-shown) + .button {
    border-color: transparent;
    background: var(--_accent);
    color: var(--_on-accent);
  }

  .button.primary:hover:not(:disabled),
  .row .field:not(:placeholder-shown) + .button:hover:not(:disabled) {
    background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
  }

  .button.danger:not(.primary) {
    color: var(--_danger);
  }

  .button.primary.danger {
    background: var(--_danger);
    color: light-dark(#ffffff, #410002);
  }

  .button.primary.danger:hover:not(:disabled) {
    background: color-mix(in srgb, var(--_danger) 88%, var(--_text));
  }

  .field {
    width: 100%;
    min-height: var(--_target);
    padding: 8px 12px;
    border: 1px solid var(--_field);
    border-radius: 8px;
    background: var(--_surface);
  }

  /* Twice as thick, since the colours of the two borders may be alike. */
  .field:focus-visible,
  .field:has(:focus-visible) {
    border-color: var(--_accent-text);
    box-shadow: 0 0 0 1px var(--_accent-text);
    outline: none;
  }

  ::placeholder {
    color: var(--_muted);
    opacity: 1;
  }

  /* Above a field. */
  label {
    display: grid;
    gap: 4px;
    font-size: var(--_text-sm);
    font-weight: 600;
  }

  label .field {
    font-size: var(--_text-md);
    font-weight: 400;
  }

  .muted {
    color: var(--_muted);
    font-size: var(--_text-sm);
  }

  .error {
    color: var(--_danger);
  }

  .error.small {
    font-size: var(--_text-sm);
  }

  .row {
    display: flex;
    align-items: center;
    gap: 8px;
  }

  .grow {
    flex: 1;
    min-width: 0;
  }

  .ellipsis {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  /*
   * A line whose text has another direction than the page begins where the page's lines begin, and is cut off where the
   * text ends.
   */
  .ellipsis > bdi,
  .ellipsis[dir='auto'] {
    display: block;
    width: fit-content;
    max-width: 100%;
    overflow: hidden;
    text-overflow: ellipsis;
  }

  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  .badge {
    display: inline-block;
    flex: none;
    min-width: 1.7em;
    padding: 0 6px;
    border-radius: 1em;
    background: var(--_accent);
    color: var(--_on-accent);
    font-size: var(--_text-xs);
    font-weight: 600;
    line-height: 1.7;
    text-align: center;
  }

  .badge.quiet {
    background: var(--_muted);
    color: var(--_surface);
  }

  @media (forced-colors: active) {
    .badge {
      border: 1px solid CanvasText;
    }

    .button.primary,
    .button.primary.danger,
    .row .field:not(:placeholder-shown) + .button {
      background: ButtonFace;
      color: ButtonText;
    }

    .field:focus-visible,
    .field:has(:focus-visible) {
      outline: 2px solid Highlight;
      outline-offset: -1px;
    }
  }

  .empty {
    display: grid;
    justify-items: center;
    gap: 8px;
    padding: 32px 24px;
    color: var(--_muted);
    text-align: center;
    text-wrap: balance;
  }

  .empty strong {
    color: var(--_text);
    font-weight: 600;
  }

  .empty .button {
    margin-block-start: 8px;
  }

  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
`;
