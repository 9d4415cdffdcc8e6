import { type KeptAnswer } from './kept-answer';
import { MemoryAnswers } from './memory-answers';

const answer = (member: string): KeptAnswer => ({
  member,
  storedAtMs: 1,
  head: undefined,
  freshUntilMs: 2,
  staleUntilMs: 3,
});
const keyOf = (number: number) => `key ${number}`;
const numbers = Array.from({ length: 1_000 }, (_, number) => number);
const mostBytes = 100_000;

it('forgets what was kept first and not asked for since, and never takes more than it may', () => {
  const answers = new MemoryAnswers(mostBytes);
  for (const number of numbers) {
    answers.keep(keyOf(number), answer(`"result":${number}`));
    expect(answers.find(keyOf(0))).toEqual(answer('"result":0'));
    expect(answers.bytes).toBeLessThanOrEqual(mostBytes);
  }
  const isKept = (number: number) => answers.find(keyOf(number)) !== undefined;
  expect([0, 1, 2, 400, 500].map(isKept)).toEqual([true, false, false, false, false]);
  // What half of the bytes hold is there in any case.
  expect(numbers.slice(-200).every(isKept)).toBe(true);
});

it('gives the newer of two answers to the same', () => {
  const answers = new MemoryAnswers(mostBytes);
  answers.keep('key', answer('"result":1'));
  for (const number of numbers.slice(0, 300)) answers.keep(keyOf(number), answer('"result":null'));
  answers.keep('key', answer('"result":2'));
  expect(answers.find('key')).toEqual(answer('"result":2'));
});

it('counts an answer once, however often it is kept', () => {
  const answers = new MemoryAnswers(mostBytes);
  answers.keep('key', answer('"result":1'));
  const { bytes } = answers;
  answers.keep('key', answer('"result":2'));
  expect([answers.bytes, answers.count]).toEqual([bytes, 1]);
});

it('keeps no answer that would drive all others out', () => {
  const answers = new MemoryAnswers(mostBytes);
  answers.keep('small', answer('"result":1'));
  answers.keep('large', answer('x'.repeat(mostBytes / 16)));
  expect([answers.find('large'), answers.find('small'), answers.count]).toEqual([undefined, answer('"result":1'), 1]);
});
