import { notAnAccountName, tooLarge } from '@waggle/contracts';
import { type z } from 'zod';
import { ChatError } from '../errors';

/** An `error` frame names this many validation issues at most. */
const maxReportedIssues = 5;

/**
 * Returns the payload as its schema parses it.
 *
 * @throws ChatError `invalid-frame`, `too-large`, `account-not-found`
 */
export function validatePayload<Payload>(schema: z.ZodType<Payload>, payload: unknown): Payload {
  const result = schema.safeParse(payload, { reportInput: false });
  if (result.success) return result.data;
  const { issues } = result.error;
  const messages = issues
    .slice(0, maxReportedIssues)
    .map((issue) => `${issue.path.join('.') || 'payload'}: ${issue.message}`);
  throw new ChatError(codeOf(issues), messages.join('; '));
}

function codeOf(issues: readonly z.core.$ZodIssue[]) {
  if (issues.every(isOfSize)) return 'too-large';
  return issues.every(isOfName) ? 'account-not-found' : 'invalid-frame';
}

function isOfSize(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params === tooLarge;
}

/** An invalid account name is reported as an account that does not exist. */
function isOfName(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_format' && issue.message === notAnAccountName;
}
