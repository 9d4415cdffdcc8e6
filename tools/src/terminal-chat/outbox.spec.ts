import { Outbox } from './outbox';

it('is empty once every line is settled, in whatever order', async () => {
  const outbox = new Outbox();
  const [first, second] = [outbox.add('bob', 'one'), outbox.add('bob', 'two')];
  let isEmpty = false;
  const empty = outbox.empty().then(() => (isEmpty = true));
  expect(outbox.settle(second.ref)).toBe(second);
  expect(outbox.lines).toEqual([first]);
  expect(isEmpty).toBe(false);
  outbox.settle(first.ref);
  await empty;
});

it('does not mind answers to frames of others', () => {
  const outbox = new Outbox();
  outbox.add('bob', 'one');
  expect(outbox.settle(undefined)).toBeUndefined();
  expect(outbox.lines).toHaveLength(1);
});

it('tells which lines may have been stored without an answer', () => {
  const outbox = new Outbox();
  const sent = outbox.add('bob', 'sent');
  outbox.add('bob', 'typed without a connection');
  sent.isSent = true;
  expect(outbox.unanswered).toEqual([sent]);
});
