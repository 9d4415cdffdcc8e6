import { css } from 'lit';

/** Panels with forms and lists: people, settings, details, a new conversation. */
export const panelStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    gap: 24px;
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
    gap: 8px;
  }

  label:has(+ .row) {
    margin-block-end: -4px;
  }

  /* Above a list or the fields of a section. */
  .heading {
    color: var(--_muted);
    font-size: var(--_text-sm);
  }

  .list {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0;
  }

  .entry {
    display: flex;
    align-items: center;
    gap: 12px;
    min-height: max(calc(2 * var(--_rem) + 2 * var(--_pad)), var(--_target));
    padding: 4px 8px;
    margin-inline: -8px;
    border-radius: 8px;
  }

  .entry:hover {
    background: var(--_hover);
  }

  /* An action. */
  .entry > svg {
    box-sizing: content-box;
    flex: none;
    padding: 6px;
  }

  a.entry {
    color: inherit;
    text-decoration: none;
  }

  .entry.danger {
    color: var(--_danger);
  }

  /* A menu makes no entry higher. */
  .entry > waggle-menu {
    margin-block: -4px;
  }

  .entry:has(> .error) {
    flex-wrap: wrap;
  }

  .entry > .error {
    flex: 1 0 100%;
  }

  .entry .actions {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 8px;
  }

  .entry .button {
    padding-inline: 12px;
  }

  .summary {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    gap: 8px;
    text-align: center;
    overflow-wrap: anywhere;
  }

  /* Marks that stack up, or that no line break can separate, stay inside. */
  .summary h2 {
    max-width: 100%;
    contain: paint;
    font-size: var(--_text-lg);
  }

  /* What cannot be undone, at the end. */
  .apart {
    padding-block-start: 16px;
    border-block-start: 1px solid var(--_border);
  }

  .outcome {
    position: sticky;
    inset-block-end: 0;
    display: flex;
    align-items: center;
    gap: 8px;
    margin-block-start: auto;
    padding: 8px 8px 8px 16px;
    border: 1px solid var(--_border);
    border-radius: 8px;
    background: var(--_raised);
    box-shadow: 0 2px 8px rgb(0 0 0 / 20%);
  }

  .outcome:empty {
    position: absolute;
    border: 0;
    padding: 0;
    box-shadow: none;
  }

  .switch {
    display: flex;
    min-height: var(--_target);
    align-items: center;
    justify-content: space-between;
    gap: 16px;
    font-size: inherit;
    font-weight: 400;
  }

  .switch input {
    position: relative;
    flex: none;
    appearance: none;
    width: calc(2.5 * var(--_rem));
    height: calc(1.5 * var(--_rem));
    margin: 0;
    border: 2px solid var(--_field);
    border-radius: 1em;
    cursor: pointer;
    transition: background-color var(--_fast);
  }

  .switch input::before {
    content: '';
    position: absolute;
    inset-block: 2px;
    inset-inline-start: 2px;
    aspect-ratio: 1;
    border-radius: 50%;
    background: var(--_field);
    transition: inset-inline-start var(--_fast) var(--_ease);
  }

  .switch input:checked {
    border-color: var(--_accent);
    background: var(--_accent);
  }

  .switch input:checked::before {
    inset-inline-start: calc(1 * var(--_rem) + 2px);
    background: var(--_on-accent);
  }

  @media (forced-colors: active) {
    .switch input::before {
      background: ButtonText;
    }

    .switch input:checked {
      border-color: Highlight;
      background: Highlight;
    }

    .switch input:checked::before {
      background: HighlightText;
    }

    .switch input:disabled::before {
      background: GrayText;
    }
  }

  /* One of a few choices, side by side. */
  .segments {
    display: grid;
    flex: none;
    grid-auto-columns: 1fr;
    grid-auto-flow: column;
    padding: 2px;
    border-radius: var(--_radius-sm);
    background: var(--_hover);
  }

  .segment {
    position: relative;
    display: grid;
    place-content: center;
    min-height: calc(var(--_target) - 4px);
    padding: 6px 8px;
    border-radius: calc(var(--_radius-sm) - 2px);
    font-size: inherit;
    font-weight: 400;
    text-align: center;
    cursor: pointer;
  }

  @media (pointer: coarse) {
    .segment {
      min-height: var(--_target);
    }
  }

  .segment:is([aria-selected='true'], :has(:checked)) {
    background: light-dark(var(--_raised), color-mix(in oklab, var(--_border) 85%, var(--_text)));
    box-shadow: 0 1px 2px rgb(0 0 0 / 20%);
    font-weight: 600;
  }

  .segment:has(:focus-visible) {
    outline: 2px solid var(--_accent-text);
    outline-offset: 2px;
  }

  .segment input {
    position: absolute;
    opacity: 0;
  }

  @media (forced-colors: active) {
    .segments {
      border: 1px solid;
      padding: 1px;
    }

    .segment:is([aria-selected='true'], :has(:checked)) {
      outline: 2px solid Highlight;
    }
  }
`;
