import { html, type TemplateResult } from 'lit';
import { textParts } from './text-parts';

/** A message's text: never markup, with its links. */
export function richText(text: string): (string | TemplateResult)[] {
  return textParts(text).map((part) =>
    part.href === undefined
      ? part.text
      : html`<a href=${part.href} title=${part.href} target="_blank" rel="noopener noreferrer nofollow"
          >${part.text}</a
        >`,
  );
}
