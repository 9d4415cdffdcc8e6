import { type z } from 'zod';

/** Failures of a result that has the right shape. */
export type UntrueKind = 'behind' | 'contradiction' | 'mismatch';

/**
 * Creates an issue for a schema to raise if a result has the right shape but cannot be true:
 * `context.issues.push(untrue(value, 'contradiction', 'block 7 is missing'))`.
 *
 * @param detail is logged, so it must hold nothing secret
 */
export function untrue(input: unknown, kind: UntrueKind, detail: string): z.core.$ZodRawIssue {
  return { code: 'custom', input, message: detail, params: { untrue: kind } };
}

/** Finds what `untrue` reported about a result that a schema rejected. */
export function findUntrue({ issues }: z.ZodError): { readonly kind: UntrueKind; readonly detail: string } | undefined {
  const [first] = issues;
  if (first?.code !== 'custom') return undefined;
  const kind: unknown = first.params?.['untrue'];
  return kind === 'behind' || kind === 'contradiction' || kind === 'mismatch'
    ? { kind, detail: first.message }
    : undefined;
}
