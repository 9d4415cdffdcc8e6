import { Slots } from './slots';

let sent: number[];
let slots: Slots;
beforeEach(() => {
  sent = [];
  slots = new Slots(2, 2, (_slot, number) => sent.push(number));
  slots.begin();
});

it('sends the next message of a slot when every receiver has the previous one', () => {
  expect(sent).toEqual([0, 1]);
  slots.received(0, 0);
  expect(sent).toEqual([0, 1]);
  slots.received(1, 0);
  expect(sent).toEqual([0, 1, 2]);
  expect(slots).toMatchObject({ completed: 1, copies: 2, unexpected: 0, inFlight: 2 });
});

it('does not count a duplicate for another receiver', () => {
  slots.received(0, 1);
  slots.received(0, 1);
  expect(slots).toMatchObject({ completed: 0, copies: 1, unexpected: 1 });
});

it('does not count unsent or completed messages', () => {
  slots.received(0, 4);
  for (const receiver of [0, 1, 0]) slots.received(receiver, 0);
  expect(slots).toMatchObject({ completed: 1, unexpected: 2 });
});

it('counts messages in flight at the end', () => {
  slots.end();
  for (const receiver of [0, 1]) slots.received(receiver, 0);
  slots.received(0, 1);
  expect(sent).toEqual([0, 1]);
  expect(slots.inFlight).toBe(1);
});
