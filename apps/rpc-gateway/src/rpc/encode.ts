import { answersTooLong } from '@waggle/contracts';
import { type Answer, memberOfError } from './answer';
import { type HeaderList } from './common-headers';

/** All answers to one body together, in characters: it must not fill the memory. */
const answersMostLength = 32 * 1024 * 1024;

/** An answer, of its member, with the id of its call. The id comes last: of a name that stands twice the last one counts. */
export function encodeAnswer(member: string, id: string): string {
  return `{"jsonrpc":"2.0",${member},"id":${id}}`;
}

export interface Answered {
  /** As it is written into the answer. */
  readonly id: string;
  readonly answer: Answer;
}

/** The answers to one body, of which those that would be too much are refused. */
export function encodeAnswers(answered: readonly Answered[]): string[] {
  let length = 0;
  return answered.map(({ id, answer }) => {
    length += answer.member.length;
    return encodeAnswer(length <= answersMostLength ? answer.member : memberOfError(answersTooLong()), id);
  });
}

/** The id as clients of `/rpc/home` want it: always a text, but for null, which says that it cannot be told. */
export function idAsText(id: string): string {
  return id === 'null' || id.startsWith('"') ? id : `"${id}"`;
}

/**
 * Where answers come from, as headers: those of a batch in their order, divided by commas. `Age` is that of the oldest that
 * was kept.
 */
export function originsOf(answered: readonly Answered[]): HeaderList {
  const caches = answered.map(({ answer }) => answer.cache).join(', ');
  const attempts = answered.map(({ answer }) => answer.attempts).join(', ');
  const ages = answered.flatMap(({ answer }) => answer.ageSeconds ?? []);
  const origins = ['x-gateway-cache', caches, 'x-gateway-attempts', attempts];
  return ages.length === 0 ? origins : [...origins, 'age', String(Math.max(...ages))];
}
