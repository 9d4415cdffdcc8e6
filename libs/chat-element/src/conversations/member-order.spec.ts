import { MemberOrder } from './member-order';

const roles = { id: 'bees', type: 'group', creator: 'dave', moderators: ['carol'] } as const;
const group = (members: string[], moderators: string[] = ['carol']) => ({ ...roles, members, moderators });

it('begins with the roles, and keeps each member in place when roles and members change', () => {
  const order = new MemberOrder();
  expect(order.of(group(['alice', 'bob', 'carol', 'dave']), [])).toEqual(['dave', 'carol', 'alice', 'bob']);
  expect(order.of(group(['alice', 'bob', 'carol', 'dave'], ['bob']), [])).toEqual(['dave', 'carol', 'alice', 'bob']);
  expect(order.of(group(['aaron', 'alice', 'bob', 'dave']), [])).toEqual(['dave', 'alice', 'bob', 'aaron']);
  expect(order.of(group(['alice', 'bob', 'carol', 'dave']), [])).toEqual(['dave', 'alice', 'bob', 'carol']);
  expect(order.of({ ...group(['alice', 'carol']), id: 'wasps' }, [])).toEqual(['carol', 'alice']);
});

it('leaves out members that were loaded separately and removed since', () => {
  const order = new MemberOrder();
  const more = ['bob', 'dave', 'erin', 'frank'];
  order.of(group(['bob', 'dave']), []);
  expect(order.of(group(['bob', 'dave']), more)).toEqual(['dave', 'bob', 'erin', 'frank']);
  order.remove('erin');
  expect(order.of(group(['dave']), more)).toEqual(['dave', 'frank']);
  expect(order.of(group(['dave', 'erin']), more)).toEqual(['dave', 'frank', 'erin']);
});
