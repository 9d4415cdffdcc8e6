import { z } from 'zod';
import { type CachedResponse } from './cached-response';

/** The fields of a response that precede its result: stored at, head block, fresh until, stale until. */
const storedFields = z.tuple([z.number(), z.number().nullable(), z.number(), z.number()]);

/** Serializes a response for Redis: a line of JSON, then the member `"result":…` unchanged, which may be long. */
export function serialize({ storedAtMs, headBlock, freshUntilMs, staleUntilMs, member }: CachedResponse): string {
  return `${JSON.stringify([storedAtMs, headBlock ?? null, freshUntilMs, staleUntilMs])}\n${member}`;
}

/** @returns undefined for text in another format, such as another version's */
export function deserialize(text: string): CachedResponse | undefined {
  const end = text.indexOf('\n');
  try {
    if (!text.startsWith('"result":', end + 1)) return undefined;
    const [storedAtMs, headBlock, freshUntilMs, staleUntilMs] = storedFields.parse(JSON.parse(text.slice(0, end)));
    return { storedAtMs, headBlock: headBlock ?? undefined, freshUntilMs, staleUntilMs, member: text.slice(end + 1) };
  } catch {
    return undefined;
  }
}
