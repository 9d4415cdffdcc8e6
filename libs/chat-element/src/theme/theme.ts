import { css } from 'lit';

/**
 * Colours and sizes. A page sets `--waggle-…`; inside, `--_…` has the value or the default. All pairs of text and
 * background have a contrast of at least 4.5 : 1 in both themes. Distances are multiples of 4 pixels, usually of 8;
 * smaller steps are only inside badges and messages.
 */
export const theme = css`
  :host {
    color-scheme: var(--waggle-color-scheme, light dark);
    --_accent: var(--waggle-accent, light-dark(#0a5fc0, #7cb8ff));
    --_on-accent: var(--waggle-on-accent, light-dark(#ffffff, #06203d));
    --_surface: var(--waggle-surface, light-dark(#ffffff, #161b22));
    --_raised: var(--waggle-raised, light-dark(#ffffff, #1f2630));
    --_canvas: var(--waggle-canvas, light-dark(#eef2f6, #0d1117));
    --_hover: var(--waggle-hover, light-dark(#f0f4f8, #222a35));
    --_selected: var(--waggle-selected, light-dark(#dcebfb, #21395a));
    --_text: var(--waggle-text, light-dark(#17202a, #e8edf2));
    --_muted: var(--waggle-muted, light-dark(#56616d, #a3afbc));
    --_border: var(--waggle-border, light-dark(#dde3ea, #2d3641));
    --_own: var(--waggle-own, light-dark(#d7ebff, #1d4272));
    --_other: var(--waggle-other, light-dark(#ffffff, #1f2630));
    --_danger: var(--waggle-danger, light-dark(#b3261e, #ffb4ab));
    --_radius: var(--waggle-radius, 12px);
    --_font: var(--waggle-font, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif);
    color: var(--_text);
    font-family: var(--_font);
    font-size: 15px;
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
