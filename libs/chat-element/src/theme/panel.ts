import { css } from 'lit';

/** Panels with forms and lists: people, settings, details, a new conversation. */
export const panelStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    gap: 32px;
    height: 100%;
    min-height: 0;
    padding: 16px;
    overflow: auto;
    overscroll-behavior: contain;
    background: var(--_surface);
  }

  section,
  form {
    display: grid;
    gap: 12px;
  }

  form + .error {
    margin-block-start: -20px;
  }

  label:has(+ .row) {
    margin-block-end: -8px;
  }

  .list {
    display: grid;
    gap: 4px;
  }

  .entry {
    display: flex;
    align-items: center;
    gap: 12px;
    min-height: 56px;
    padding: 4px 8px;
    margin-inline: -8px;
    border-radius: 8px;
  }

  .entry:hover {
    background: var(--_hover);
  }

  .entry .actions {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 4px;
  }

  .entry .button {
    min-height: 32px;
    padding: 4px 12px;
    font-size: var(--_text-sm);
  }

  .switch {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 16px;
    font-weight: 400;
  }

  .switch input {
    flex: none;
    width: 20px;
    height: 20px;
    accent-color: var(--_accent);
  }
`;
