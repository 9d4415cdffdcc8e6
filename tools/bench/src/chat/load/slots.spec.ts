import { Slots } from './slots';

let sent: number[];
let slots: Slots;
beforeEach(() => {
  sent = [];
  slots = new Slots(2, 2, (_slot, number) => sent.push(number));
  slots.begin();
});

it('sends the next message of a slot once every receiver has the one before', () => {
  expect(sent).toEqual([0, 1]);
  slots.arrived(0, 0);
  expect(sent).toEqual([0, 1]);
  slots.arrived(1, 0);
  expect(sent).toEqual([0, 1, 2]);
  expect(slots).toMatchObject({ completed: 1, copies: 2, unexpected: 0, underWay: 2 });
});

it('does not take a copy that comes twice for that of another receiver', () => {
  slots.arrived(0, 1);
  slots.arrived(0, 1);
  expect(slots).toMatchObject({ completed: 0, copies: 1, unexpected: 1 });
});

it('does not count what it did not send, or what is long complete', () => {
  slots.arrived(0, 4);
  for (const receiver of [0, 1, 0]) slots.arrived(receiver, 0);
  expect(slots).toMatchObject({ completed: 1, unexpected: 2 });
});

it('knows what is missing when it ends', () => {
  slots.end();
  for (const receiver of [0, 1]) slots.arrived(receiver, 0);
  slots.arrived(0, 1);
  expect(sent).toEqual([0, 1]);
  expect(slots.underWay).toBe(1);
});
