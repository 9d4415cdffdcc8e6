import { css } from 'lit';

/** The field for accounts, with the chosen ones in it and suggestions below it. */
export const peoplePickerStyles = css`
  :host {
    gap: 8px;
    padding: 0;
    overflow: visible;
  }

  .field {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px;
    max-height: 40%;
    padding-block: 4px;
    overflow: auto;
    cursor: text;
  }

  label {
    color: var(--_muted);
    font-size: inherit;
    font-weight: 400;
  }

  input {
    flex: 1;
    min-width: 48px;
    min-height: calc(var(--_target) - 8px);
    padding: 0 4px;
    border: 0;
    background: none;
  }

  input:focus-visible {
    outline: none;
  }

  .chip {
    position: relative;
    display: flex;
    align-items: center;
    gap: 4px;
    max-width: 100%;
    min-height: calc(var(--_target) - 8px);
    padding-inline: 12px 8px;
    border-radius: var(--_target);
    background: var(--_selected);
  }

  /* The space around it belongs to the target. */
  .chip::after {
    content: '';
    position: absolute;
    inset: -4px -2px;
  }

  .chip:hover {
    background: var(--_hover);
  }

  .chip.invalid {
    outline: 1px solid var(--_danger);
    outline-offset: -1px;
    background: color-mix(in oklab, var(--_danger) 12%, var(--_surface));
    color: var(--_danger);
  }

  /* The pictures begin where the field does. */
  .suggestions {
    flex: 1;
    min-height: 0;
    margin-inline: -8px;
    overflow: auto;
    overscroll-behavior: contain;
  }

  .heading {
    padding: 8px 8px 4px;
    font-weight: 600;
  }

  .entry {
    margin-inline: 0;
    cursor: pointer;
  }

  .entry.active {
    background: var(--_selected);
  }

  .entry[aria-selected='true'] > svg {
    padding: 2px;
    border-radius: 50%;
    background: var(--_accent);
    color: var(--_on-accent);
  }

  @media (forced-colors: active) {
    .chip {
      border: 1px solid;
    }

    .entry.active {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
