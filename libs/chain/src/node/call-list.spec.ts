import { CallList, type ListedCall } from './call-list';

class Call implements ListedCall<Call> {
  isListed = false;
  older: Call | undefined;
  newer: Call | undefined;
}

it('returns the oldest remaining call, in whatever order calls end', () => {
  const list = new CallList<Call>();
  const [first, second, third, fourth] = [new Call(), new Call(), new Call(), new Call()];
  for (const call of [first, second, third, fourth]) list.add(call);
  const oldestWithout = (call: Call) => [list.delete(call), list.oldest];
  expect(oldestWithout(second)).toEqual([true, first]);
  expect(oldestWithout(second)).toEqual([false, first]);
  expect(oldestWithout(first)).toEqual([true, third]);
  expect(oldestWithout(fourth)).toEqual([true, third]);
  list.add(second);
  expect(oldestWithout(third)).toEqual([true, second]);
  expect(oldestWithout(second)).toEqual([true, undefined]);
});

it('clears the links of a call that has ended', () => {
  const list = new CallList<Call>();
  const [first, second, third] = [new Call(), new Call(), new Call()];
  for (const call of [first, second, third]) list.add(call);
  list.delete(second);
  expect(second).toEqual(new Call());
  expect([first.newer, third.older]).toEqual([third, first]);
});
