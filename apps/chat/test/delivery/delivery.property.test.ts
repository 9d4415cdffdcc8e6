import * as fc from 'fast-check';
import { accounts, conversations } from './random-delivery/database';
import { RandomInstance, turn } from './random-delivery/instance';

/** Number of random runs; `RUNS=20000` is the long form. `SEED` repeats a run. */
const runs = Number(process.env['RUNS'] ?? 200);
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

interface Action {
  act: (instance: RandomInstance) => void;
  /** As a failed run shows it. */
  toString: () => string;
}

type ActionName = {
  [Name in keyof RandomInstance]: RandomInstance[Name] extends (...args: never[]) => void ? Name : never;
}[keyof RandomInstance];

function action<Name extends ActionName>(
  weight: number,
  name: Name,
  args: fc.Arbitrary<Parameters<RandomInstance[Name]>>,
): fc.WeightedArbitrary<Action> {
  return { weight, arbitrary: args.map((values) => does(name, ...values)) };
}

function does<Name extends ActionName>(name: Name, ...values: Parameters<RandomInstance[Name]>): Action {
  return {
    act: (on) => {
      Reflect.apply(on[name], on, values);
    },
    toString: () => `${name}(${values.join(', ')})`,
  };
}

const account = fc.constantFrom(...accounts);
const conversation = fc.constantFrom(...conversations);
const oneOrBoth = fc.subarray(conversations, { minLength: 1 });
const isOwn = fc.boolean();
const which = fc.nat({ max: 9 });
const none = fc.constant<[]>([]);
const actions = fc.array(
  fc.oneof(
    action(4, 'connect', fc.tuple(account, fc.constant(undefined))),
    action(2, 'resume', fc.tuple(account, which)),
    action(2, 'disconnect', fc.tuple(which)),
    action(2, 'reconnect', fc.tuple(which)),
    action(2, 'slowDown', fc.tuple(which)),
    action(2, 'write', fc.tuple(conversation, isOwn)),
    action(3, 'writeHere', fc.tuple(account, conversation)),
    action(1, 'leaveHere', fc.tuple(account, conversation)),
    action(1, 'repeat', fc.tuple(which)),
    action(2, 'addMember', fc.tuple(account, oneOrBoth, isOwn)),
    action(2, 'remove', fc.tuple(account, conversation, isOwn)),
    action(2, 'follow', fc.tuple(account, conversation, isOwn)),
    action(1, 'changeAccount', fc.tuple(account, isOwn)),
    action(4, 'arrive', fc.tuple(which)),
    action(1, 'loseNotifications', none),
    action(2, 'poll', none),
    action(1, 'passTime', none),
    action(10, 'succeed', fc.tuple(which)),
    action(1, 'fail', fc.tuple(which)),
  ),
  { maxLength: 60, size: 'max' },
);

describe('delivery in any order of arrival', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const promise =
    'gives each connected account every entry that it is subscribed to, once and in order, and a reply to each request';
  const perform = async (run: readonly Action[]) => {
    const instance = new RandomInstance();
    try {
      for (const { act } of run) {
        act(instance);
        await turn();
      }
      await instance.settle();
      expect(instance.violations()).toEqual([]);
    } finally {
      instance.end();
    }
  };
  const test = () => fc.assert(fc.asyncProperty(actions, perform), { numRuns: runs, seed });
  it(promise, test, 90_000 + runs * 20);

  const succeeds = (times: number): Action[] => Array.from({ length: times }, () => does('succeed', 0));
  it.each<[string, Action[]]>([
    [
      'replies to a repeated message on its own connection only',
      [
        does('connect', 'carol'),
        does('addMember', 'carol', ['d'], false),
        ...succeeds(2),
        does('writeHere', 'carol', 'd'),
        does('reconnect', 0),
        ...succeeds(2),
        does('connect', 'carol'),
        ...succeeds(1),
        does('repeat', 0),
      ],
    ],
    [
      'replies to each of two repetitions of a message',
      [
        ...[does('connect', 'alice'), ...succeeds(2), does('writeHere', 'alice', 'c'), does('reconnect', 0)],
        ...[...succeeds(2), does('repeat', 0), does('connect', 'alice'), does('repeat', 0)],
      ],
    ],
    [
      'replies to each of several requests for an entry that is not delivered yet',
      [
        ...[does('connect', 'carol'), does('addMember', 'carol', ['c'], false), does('connect', 'alice')],
        ...[does('succeed', 4), does('writeHere', 'carol', 'c'), does('repeat', 0)],
      ],
    ],
    [
      'delivers an entry once to the other connections of an account if its request arrives after the backfill',
      [
        ...[does('connect', 'bob'), does('connect', 'bob'), does('succeed', 0), does('addMember', 'bob', ['c'], false)],
        ...[does('succeed', 0), does('writeHere', 'bob', 'c'), does('connect', 'alice'), does('succeed', 1)],
        ...[does('arrive', 0), does('succeed', 0), does('succeed', 1)],
      ],
    ],
    [
      'writes nothing live to an account that may have left',
      [
        ...[does('connect', 'alice'), does('connect', 'carol'), ...succeeds(8)],
        ...[does('addMember', 'carol', ['c'], false), does('remove', 'carol', 'c', false)],
        ...[does('arrive', 1), does('arrive', 1), does('arrive', 0), does('succeed', 1), does('succeed', 1)],
        ...[does('write', 'c', true), does('arrive', 0)],
      ],
    ],
    [
      'subscribes to a stream that was opened by a connection which then failed',
      [
        ...[does('addMember', 'carol', ['d'], false), does('fail', 0), does('connect', 'alice'), does('poll')],
        ...[does('addMember', 'bob', ['d'], false), does('succeed', 3), does('succeed', 3), does('poll')],
        ...[does('succeed', 1), does('succeed', 3), does('succeed', 0), does('connect', 'carol')],
        ...[does('succeed', 7), does('fail', 0)],
      ],
    ],
    [
      'writes nothing before the entries of an earlier subscription that becomes known meanwhile',
      [
        ...[does('follow', 'carol', 'd', false), does('addMember', 'bob', ['c'], false), does('resume', 'bob', 0)],
        ...[does('connect', 'alice'), does('remove', 'alice', 'd', false), does('arrive', 0)],
        ...[does('addMember', 'alice', ['d'], false), does('resume', 'carol', 0), does('succeed', 0)],
        ...[does('reconnect', 0), does('arrive', 0), ...succeeds(1), does('succeed', 1), ...succeeds(2)],
        ...[does('follow', 'bob', 'd', false), ...succeeds(1), does('writeHere', 'alice', 'd'), does('arrive', 5)],
        ...[...succeeds(1), does('leaveHere', 'carol', 'd'), does('succeed', 2)],
      ],
    ],
  ])('%s', (_what, run) => perform(run));
});
