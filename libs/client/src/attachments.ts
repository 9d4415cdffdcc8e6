import type { Attachment, RichMessage } from './protocol/contract';

/** Returns the text of a message without the URLs of its attachments; empty if it consists of them. */
export function textOf({ content, attachments }: Pick<RichMessage, 'content' | 'attachments'>): string {
  const urls = urlsOf(attachments);
  if (urls === '') return content;
  if (content === urls) return '';
  return content.endsWith(`\n${urls}`) ? content.slice(0, -urls.length - 1) : content;
}

/** Returns the URLs of attachments, one per line: the service needs a text, and gets this one if there is no other. */
export function urlsOf(attachments: readonly Attachment[] = []): string {
  return attachments.map(({ url }) => url).join('\n');
}

/** Returns the fields of a frame for a text and attachments. */
export function messageOf(
  text: string,
  { attachments = [] }: { attachments?: readonly Attachment[] } = {},
): { message: string; attachments?: Attachment[] } {
  if (attachments.length === 0) return { message: text };
  return { message: text.trim() === '' ? urlsOf(attachments) : text, attachments: [...attachments] };
}
