import { z } from 'zod';
import { newPairJwk, pairJwk, publicJwk, type PublicJwk } from './token-jwk';

const time = z.iso.datetime();

const fields = z.object({
  /** Signs. */
  current: pairJwk.safeExtend({ made_at: time }),
  /** Signs after the next rotation; published now, so that all verifiers know it by then. */
  next: pairJwk.safeExtend({ made_at: time }).optional(),
  /** Former keys: without their private halves; their tokens are still valid. */
  former: z.array(publicJwk.safeExtend({ retired_at: time })).default([]),
});

/**
 * The keys of a service as they are stored: in one JSON text, so that a reader sees all of a rotation or nothing of it.
 */
export type KeyDocument = z.infer<typeof fields>;

const keyDocument = fields.refine((document) => {
  const ids = keysIn(document).map(({ kid }) => kid);
  return new Set(ids).size === ids.length;
}, 'two keys have one kid');

/** Returns all keys of a document, the current one first. */
export function keysIn({ current, next, former }: KeyDocument): PublicJwk[] {
  return [current, ...(next === undefined ? [] : [next]), ...former];
}

/** @throws Error that names the problems without quoting the text */
export function readKeyDocument(text: string): KeyDocument {
  const result = keyDocument.safeParse(parseJson(text), { reportInput: false });
  if (result.success) return result.data;
  const errors = result.error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw new Error(`invalid token keys: ${errors.join('; ')}`);
}

/** Whether a text is a valid key document. */
export function isKeyDocument(text: string): boolean {
  try {
    readKeyDocument(text);
    return true;
  } catch {
    // The caller reports the error.
    return false;
  }
}

/** Returns a document with a new current key and a new next one. */
export function newKeyDocument(now: Date): KeyDocument {
  return { current: newKey(now), next: newKey(now), former: [] };
}

/** Instances that have not reloaded the document yet sign with a retired key for a short time. */
const retirementMarginMs = 60 * 60 * 1_000;

/**
 * Returns the document after a rotation: the next key signs, the current one becomes a former one, and a new next one
 * is added. Without a next key, one is only added: it must be published before it signs.
 *
 * @param tokenMs the lifetime of tokens; former keys stay published for this long
 */
export function rotated(document: KeyDocument, now: Date, tokenMs: number): KeyDocument {
  const { current, next } = document;
  const former = document.former.filter(
    ({ retired_at }) => now.getTime() - Date.parse(retired_at) <= tokenMs + retirementMarginMs,
  );
  if (next === undefined) return { current, next: newKey(now), former };
  const { kid, kty, crv, x, y } = current;
  return {
    current: next,
    next: newKey(now),
    former: [{ kid, kty, crv, x, y, retired_at: now.toISOString() }, ...former],
  };
}

function newKey(now: Date): KeyDocument['current'] {
  return { ...newPairJwk(), made_at: now.toISOString() };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text.
    throw new Error('invalid token keys: not JSON');
  }
}
