import { type z } from 'zod';

/** How a result of the right shape is untrue: see `NodeFailureKind`. */
export type UntrueKind = 'behind' | 'contradiction' | 'mismatch';

/**
 * Creates an issue for a schema to raise if a result has the right shape but cannot be true:
 * `context.issues.push(untrueIssue(value, 'contradiction', 'block 7 is missing'))`.
 *
 * @param detail is logged, so it must hold nothing secret
 */
export function untrueIssue(input: unknown, kind: UntrueKind, detail: string): z.core.$ZodRawIssue {
  return { code: 'custom', input, message: detail, params: { untrue: kind } };
}

/** Returns the first issue of a rejected result if `untrueIssue` created it. Its kind becomes that of the node's failure. */
export function findUntrue({ issues }: z.ZodError): { readonly kind: UntrueKind; readonly detail: string } | undefined {
  const [first] = issues;
  if (first?.code !== 'custom') return undefined;
  const kind: unknown = first.params?.['untrue'];
  return kind === 'behind' || kind === 'contradiction' || kind === 'mismatch'
    ? { kind, detail: first.message }
    : undefined;
}
