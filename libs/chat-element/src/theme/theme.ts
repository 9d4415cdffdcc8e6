import tokens from '@waggle/design/tokens.css';
import { css, unsafeCSS } from 'lit';

/** The base of all elements. Distances are multiples of 4 pixels, usually of 8. */
export const theme = css`
  ${unsafeCSS(tokens)}

  :host {
    color: var(--_text);
    font-family: var(--_font);
    font-size: var(--_text-md);
    line-height: 1.4;
    box-sizing: border-box;
  }

  :host(:state(light)) {
    --waggle-color-scheme: light;
  }

  :host(:state(dark)) {
    --waggle-color-scheme: dark;
  }

  :host(:state(small)) {
    --_text-scale: 0.9;
  }

  :host(:state(large)) {
    --_text-scale: 1.2;
  }

  :host(:state(compact)) {
    --_space: 4px;
  }

  /* The page decides before the user. */
  :host([theme='light']) {
    --waggle-color-scheme: light;
  }

  :host([theme='dark']) {
    --waggle-color-scheme: dark;
  }

  :host([hidden]) {
    display: none;
  }

  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
`;
