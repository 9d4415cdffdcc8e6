import { BadRequestException } from '@nestjs/common';

/** The number of issues is up to the caller; the first ones are enough to fix a request. */
const maxReportedIssues = 5;

interface ValidationIssue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
}

/** Creates the error that names the invalid fields. */
export function invalidRequest(issues: readonly ValidationIssue[]): BadRequestException {
  const reported = issues.slice(0, maxReportedIssues).map(({ path = [], message }) => {
    const field = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment)).join('.');
    if (field !== '') return `${field}: ${message}`;
    // A browser's `fetch` sends a string as text unless the content type is set.
    return message.endsWith('received string') ? `${message}; JSON needs Content-Type: application/json` : message;
  });
  return new BadRequestException(reported.join('; '));
}
