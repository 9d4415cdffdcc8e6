import type { Quote } from '@waggle/client/browser';
import { html, type TemplateResult } from 'lit';
import { beginningOf } from '../client/characters';
import type { Texts } from '../i18n/en';
import { colorClass } from '../theme/avatar';

/**
 * Length of the line, in UTF-16 units. The service cuts a quote after 140 code points, which may be inside a character;
 * this is enough shorter to leave that character out.
 */
const maxLineLength = 100;

/** The beginning of a message in one line. */
export function lineOf(content: string): string {
  const beginning = beginningOf(content, maxLineLength);
  return `${beginning.replaceAll(/\s+/g, ' ')}${beginning === content ? '' : '…'}`;
}

/**
 * The message that another one replies to, in one line.
 *
 * @param quote undefined if that message is not loaded
 * @param onShow shows the message; undefined if it is not loaded
 */
export function quoteTemplate(
  quote: Quote | undefined,
  texts: Texts,
  onShow: ((id: string) => void) | undefined,
): TemplateResult {
  const color = quote === undefined ? '' : colorClass(quote.from);
  const content = html`<span class="visually-hidden">${texts.inReplyTo} </span>
    ${quote === undefined ? '' : html`<span class="author ellipsis"><bdi>${quote.from}</bdi></span>`}
    ${quotedText(quote, texts)}`;
  return quote === undefined || onShow === undefined
    ? html`<div class="quote ${color}">${content}</div>`
    : html`<button
        class="quote ${color}"
        @click=${() => {
          onShow(quote.id);
        }}
      >
        ${content}
      </button>`;
}

function quotedText(quote: Quote | undefined, texts: Texts): TemplateResult {
  if (quote === undefined) return html`<span class="quoted ellipsis">${texts.earlierMessage}</span>`;
  return quote.content === null
    ? html`<em class="quoted ellipsis">${texts.deletedMessage}</em>`
    : html`<span class="quoted ellipsis" dir="auto">${lineOf(quote.content)}</span>`;
}
