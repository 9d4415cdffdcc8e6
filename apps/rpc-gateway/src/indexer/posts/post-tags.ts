import { z } from 'zod';
import { parseJson } from '../custom-json/parse-json';

const maxTagLength = 32;

const metadata = z.object({ tags: z.array(z.unknown()) });

/**
 * Returns the tags of a post, from its metadata and its category, without `#` and spaces, in lower case. Values
 * that are not strings are ignored, and their number is not limited: `prepare_tags` and `comment_op` of hivemind.
 */
export function tagsOf(category: string, jsonMetadata: string): Set<string> {
  const { data } = metadata.safeParse(parseJson(jsonMetadata));
  const raw = [...(data?.tags ?? []), category].filter((tag) => typeof tag === 'string');
  return new Set(raw.map(normalizeTag).filter((tag) => tag !== ''));
}

function normalizeTag(tag: string): string {
  return Array.from(tag.replaceAll(/[#\s]/g, '').toLowerCase()).slice(0, maxTagLength).join('');
}
