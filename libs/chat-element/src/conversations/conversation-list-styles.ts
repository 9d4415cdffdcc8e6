import { css } from 'lit';

/** The list of conversations, with its filter and empty states. */
export const conversationListStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    height: 100%;
    background: var(--_surface);
  }

  .empty {
    flex: 1;
    align-content: center;
  }

  .search {
    position: relative;
    padding: 8px 16px;
  }

  .search svg {
    position: absolute;
    inset-block: 0;
    margin-block: auto;
    inset-inline-start: 28px;
    color: var(--_muted);
    pointer-events: none;
  }

  .search .field {
    padding-inline-start: 40px;
    border-radius: 20px;
  }

  .search-messages {
    padding: 0 8px;
  }

  .search-messages .item {
    min-height: var(--_target);
    color: var(--_accent-text);
  }

  ul {
    flex: 1;
    min-height: 0;
    padding: 0 8px 8px;
    overflow: auto;
    overscroll-behavior: contain;
  }

  ul.unlisted {
    flex: 0 1 auto;
    border-block-end: 1px solid var(--_border);
  }

  .unlisted li {
    padding: 8px;
  }

  .unlisted .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    margin-block-start: 8px;
  }

  .item {
    display: flex;
    align-items: center;
    gap: 12px;
    width: 100%;
    padding: var(--_pad) 8px;
    border-radius: 8px;
  }

  .item:hover {
    background: var(--_hover);
  }

  .item[aria-current='true'] {
    background: var(--_selected);
  }

  @media (forced-colors: active) {
    .item[aria-current='true'] {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }

  .item:focus-visible {
    outline-offset: -2px;
  }

  .line {
    display: flex;
    align-items: baseline;
    gap: 8px;
  }

  .name {
    font-weight: 600;
  }

  .preview {
    min-height: 1.4em;
    font-size: calc(0.875 * var(--_rem));
  }

  /* A count makes no entry higher. */
  .line .badge {
    align-self: center;
    margin-block: -2px;
  }

  .mark {
    align-self: center;
    color: var(--_muted);
    line-height: 0;
  }

  .unread .preview,
  .item[aria-current='true'] .muted {
    color: var(--_text);
  }
`;
