import { css, html, svg, type TemplateResult } from 'lit';
import type { Texts } from '../i18n/en';
import type { WalletRequest } from './aioha';

export const walletRequestStyles = css`
  .code {
    justify-self: center;
    width: 240px;
    padding: 8px;
    border-radius: 8px;
    background: #ffffff;
  }
`;

/** What a wallet on a phone has to scan. */
export function walletRequestTemplate({ link, modules }: WalletRequest, texts: Texts): TemplateResult {
  const path = modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return html`<p>${texts.hiveAuthInstructions}</p>
    <a class="code" href=${link} rel="noopener">
      <svg viewBox="-2 -2 ${modules.length + 4} ${modules.length + 4}" role="img" aria-label="HiveAuth">
        ${svg`<path d=${path} />`}
      </svg>
    </a>`;
}
