import mark from '@waggle/design/mark.svg';
import { css, html, nothing, type TemplateResult } from 'lit';

export const brandStyles = css`
  .brand {
    display: flex;
    align-items: center;
    gap: 0.5em;
    font-weight: 600;
  }

  .brand :is(img, svg) {
    display: block;
    flex: none;
    width: 1.75em;
    height: 1.75em;
    object-fit: contain;
  }

  .brand path:first-child {
    fill: var(--_accent);
  }

  .brand path:last-child {
    stroke: var(--_on-accent);
  }
`;

/** The logo, Waggle's mark by default, beside the name. @param name empty for the logo alone */
export function brand(name: string, logo: string | undefined): TemplateResult {
  return html`<div class="brand" part="brand">
    ${logo === undefined ? html`<span aria-hidden="true">${mark}</span>` : html`<img src=${logo} alt="" referrerpolicy="no-referrer" />`}
    ${name === '' ? nothing : html`<span class="ellipsis">${name}</span>`}
  </div>`;
}
