import type { Quote } from '@waggle/client/browser';
import { html, type TemplateResult } from 'lit';
import { beginningOf } from '../text/characters';
import type { Texts } from '../i18n/en';
import { colorClass } from '../theme/avatar';
import { previewOf } from '../text/preview';

/**
 * Length of the line, in UTF-16 units. The service cuts a quote after 140 code points, which may be inside a character;
 * this is enough shorter to leave that character out.
 */
const maxLineLength = 100;

/** The beginning of a message in one line, as `previewOf`, with a mark that there is more. */
export function lineOf(content: string, hosts: readonly string[], texts: Texts): string {
  const text = previewOf(content, hosts, texts);
  const beginning = beginningOf(text, maxLineLength);
  return beginning === text ? text : `${beginning}…`;
}

/**
 * The message that another one replies to, in one line.
 *
 * @param quote undefined if that message is not loaded
 * @param hosts of images
 * @param onShow shows the message; undefined if it is not loaded
 */
export function quoteTemplate(
  quote: Quote | undefined,
  hosts: readonly string[],
  texts: Texts,
  onShow: ((id: string) => void) | undefined,
): TemplateResult {
  const color = quote === undefined ? '' : colorClass(quote.from);
  const content = html`<span class="visually-hidden">${texts.inReplyTo} </span>
    ${quote === undefined ? '' : html`<span class="author ellipsis"><bdi>${quote.from}</bdi></span>`}
    ${quotedText(quote, hosts, texts)}`;
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

function quotedText(quote: Quote | undefined, hosts: readonly string[], texts: Texts): TemplateResult {
  if (quote === undefined) return html`<span class="quoted ellipsis">${texts.earlierMessage}</span>`;
  return quote.content === null
    ? html`<em class="quoted ellipsis">${texts.deletedMessage}</em>`
    : html`<span class="quoted ellipsis" dir="auto">${lineOf(quote.content, hosts, texts)}</span>`;
}
