import { css } from 'lit';

export const messageStyles = css`
  .message {
    display: grid;
    grid-template-columns: 32px minmax(0, 1fr);
    column-gap: 8px;
    padding-block: 1px;
    border-radius: var(--_radius);
    contain: layout style;
  }

  .message.starts {
    padding-block-start: 8px;
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
    display: flex;
    align-items: center;
    gap: 4px;
    min-width: 0;
  }

  .own .body {
    grid-column: 1 / -1;
    flex-direction: row-reverse;
  }

  .bubble {
    min-width: 0;
    max-width: min(85%, 600px);
    padding: 6px 12px 8px;
    border-radius: var(--_radius);
    background: var(--_other);
    /* Marks that stack up stay inside the message. */
    contain: paint;
  }

  .own .bubble {
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
    color: var(--_accent);
    font-size: 13px;
    font-weight: 600;
  }

  .text {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
    text-align: start;
  }

  .text a {
    color: light-dark(#084c9a, #9ccbff);
  }

  .meta {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    float: inline-end;
    margin-block-start: 4px;
    margin-inline-start: 12px;
    color: light-dark(#4c5763, #b4bfca);
    height: 18px;
    font-size: 12px;
    line-height: 18px;
    user-select: none;
  }

  .meta .read {
    color: light-dark(#0a5fc0, #7cb8ff);
  }

  .meta .failed-mark {
    color: var(--_danger);
  }

  .actions {
    display: inline-flex;
    visibility: hidden;
  }

  .message:hover .actions,
  .message:focus-within .actions {
    visibility: visible;
  }

  .actions .icon-button {
    width: 32px;
    height: 32px;
  }

  .failure {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    align-items: center;
    gap: 4px 12px;
    grid-column: 1 / -1;
    font-size: 13px;
  }

  .failure button {
    min-height: 24px;
    color: light-dark(#084c9a, #9ccbff);
    font-weight: 600;
  }
`;
