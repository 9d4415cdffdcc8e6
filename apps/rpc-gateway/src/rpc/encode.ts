import { type Answer } from './answer';
import { type HeaderList } from './common-headers';
import { type Body } from './decode';

/**
 * The parts of an answer, of its member, with the id of its call. The id comes last: of a name that stands twice the last one
 * counts. They are not joined: a cached member may be long, and is the same text in every response.
 */
export function encodeAnswer(member: string, id: string): readonly string[] {
  return ['{"jsonrpc":"2.0",', member, `,"id":${id}}`];
}

/** The answers to one body, in their order, and headers that say where they come from. */
export interface EncodedAnswers {
  /** The parts of the response; none where nothing is answered. */
  readonly texts: readonly string[];
  /** Those of a batch divided by commas; `Age` is that of the oldest that was cached. */
  readonly origins: HeaderList;
}

/**
 * @param answers one for each of the items; calls without id have theirs left out
 * @param idOf the id as it is written into the answer
 */
export function encodeAnswers(
  { items, isBatch }: Body,
  answers: readonly Answer[],
  idOf: (id: string) => string,
): EncodedAnswers {
  const texts: string[] = [];
  let [caches, attempts] = ['', ''];
  let oldest: number | undefined;
  answers.forEach((answer, place) => {
    const id = items[place]?.id;
    if (id === undefined) return;
    const divider = texts.length === 0 ? '' : ', ';
    caches += divider + answer.cache;
    attempts += `${divider}${answer.attempts}`;
    if (answer.ageSeconds !== undefined) oldest = Math.max(oldest ?? 0, answer.ageSeconds);
    if (isBatch) texts.push(texts.length === 0 ? '[' : ',');
    texts.push(...encodeAnswer(answer.member, idOf(id)));
  });
  if (isBatch && texts.length > 0) texts.push(']');
  const origins = ['x-gateway-cache', caches, 'x-gateway-attempts', attempts];
  if (oldest !== undefined) origins.push('age', String(oldest));
  return { texts, origins };
}

/** The id as clients of `/rpc/home` want it: always a text, but for null, which says that it cannot be told. */
export function idAsText(id: string): string {
  return id === 'null' || id.startsWith('"') ? id : `"${id}"`;
}
