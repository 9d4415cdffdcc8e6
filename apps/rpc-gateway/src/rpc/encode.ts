import { type Answer } from './answer';

/** An answer with the id of its call. The id comes last: of a name that stands twice the last one counts. */
export function encodeAnswer({ member }: Pick<Answer, 'member'>, id: string): string {
  return `{"jsonrpc":"2.0",${member},"id":${id}}`;
}

/** The id as clients of `/rpc/home` want it: always a text, but for null, which says that it cannot be told. */
export function idAsText(id: string): string {
  return id === 'null' || id.startsWith('"') ? id : `"${id}"`;
}

/**
 * What is true of an answer, and of the answers of a batch in their order, as a list. `Age` is that of the oldest.
 */
export function headersOf(answers: readonly Answer[]): Record<string, string> {
  const ages = answers.flatMap(({ ageSeconds }) => ageSeconds ?? []);
  return {
    'X-Gateway-Cache': answers.map(({ cache }) => cache).join(', '),
    'X-Gateway-Attempts': answers.map(({ attempts }) => attempts).join(', '),
    ...(ages.length > 0 && { Age: String(Math.max(...ages)) }),
  };
}
