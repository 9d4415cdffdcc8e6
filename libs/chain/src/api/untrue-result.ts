import { type z } from 'zod';

/** Why a result of the right shape is rejected: see `NodeFailureKind`. */
export type UntrueKind = 'not-stored' | 'behind' | 'outdated' | 'contradiction' | 'mismatch';

const untrueKinds: ReadonlySet<unknown> = new Set<UntrueKind>([
  'not-stored',
  'behind',
  'outdated',
  'contradiction',
  'mismatch',
]);

/**
 * Creates an issue for a schema to raise if a result has the right shape but cannot be true:
 * `context.issues.push(untrueIssue(value, 'contradiction', 'block 7 is missing'))`.
 *
 * @param detail is logged, so it must hold nothing secret
 */
export function untrueIssue(input: unknown, kind: UntrueKind, detail: string): z.core.$ZodRawIssue {
  return { code: 'custom', input, message: detail, params: { untrue: kind } };
}

/**
 * Returns the first issue of a rejected result if `untrueIssue` created it. Its kind becomes the kind of the node's
 * failure.
 */
export function findUntrue({ issues }: z.ZodError): { readonly kind: UntrueKind; readonly detail: string } | undefined {
  const [first] = issues;
  if (first?.code !== 'custom') return undefined;
  const kind: unknown = first.params?.['untrue'];
  return isUntrueKind(kind) ? { kind, detail: first.message } : undefined;
}

function isUntrueKind(kind: unknown): kind is UntrueKind {
  return untrueKinds.has(kind);
}
