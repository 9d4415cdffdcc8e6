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
