import { html, nothing, type TemplateResult } from 'lit';
import { charactersLeft } from '../text/characters';
import type { Language } from '../i18n/texts';

/** The number of characters is shown when fewer are left. */
const noticeFrom = 200;

/** Says how many characters a message can still have, if they are few, or has too many. */
export function lengthNotice(text: string, language: Language): TemplateResult | typeof nothing {
  const left = charactersLeft(text);
  if (left > noticeFrom) return nothing;
  return html`<div class="counter ${left < 0 ? 'error' : 'muted'}" role="status">${lengthText(left, language)}</div>`;
}

/** @param left as of `charactersLeft` */
export function lengthText(left: number, { texts, formats }: Language): string {
  return left < 0 ? texts.charactersOver(-left, formats) : texts.charactersLeft(left, formats);
}
