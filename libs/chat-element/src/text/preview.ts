import { beginningOf } from './characters';
import type { Texts } from '../i18n/en';
import { plainText } from './markdown';

/** A preview must not lay out 4,000 characters, in UTF-16 units. */
const maxLength = 200;

/**
 * The beginning of a message on one line, without marks. Instead of the addresses of images at its end, it says that
 * there are images.
 *
 * @param hosts of images
 */
export function previewOf(content: string, hosts: readonly string[], texts: Texts): string {
  const { text, count } = withoutImages(content, hosts);
  if (text.trim() === '' && count > 0) return texts.images(count);
  return beginningOf(plainText(beginningOf(text, 2 * maxLength)), maxLength).replace(/\s+/g, ' ');
}

/** A whole message as screen readers announce it: as `previewOf`, and with the number of images after the text. */
export function spokenText(content: string, hosts: readonly string[], texts: Texts): string {
  const { text, count } = withoutImages(content, hosts);
  return [plainText(text).trim(), ...(count > 0 ? [texts.images(count)] : [])].join('\n').trim();
}

/** The text before the addresses of images at its end, and their number. */
function withoutImages(content: string, hosts: readonly string[]): { text: string; count: number } {
  const lines = content.split('\n');
  const end = lines.findLastIndex((line) => !isOnHost(line, hosts)) + 1;
  return { text: lines.slice(0, end).join('\n'), count: lines.length - end };
}

function isOnHost(line: string, hosts: readonly string[]): boolean {
  return line.startsWith('https://') && URL.canParse(line) && hosts.includes(new URL(line).host);
}
