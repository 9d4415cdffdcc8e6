import { type Hearing, type Observation, type Sending, type StoredConversation } from '../observation';
import { type Sabotage, sabotages, Saboteur } from '../sabotage';
import { check } from './check';
import { type ViolationKind } from './violation';

const instant = (seq: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, 0, seq)).toISOString();

/** A message by its place: those of odd places are alice's. */
const messageAt = (seq: number) => {
  const sender = seq % 2 === 1 ? 'alice' : 'bob';
  return { seq, id: `id-${seq}`, mark: `${sender}-${seq}`, sender, timestamp: instant(seq) };
};

const heardAt = (seq: number) => {
  const { id, mark, timestamp } = messageAt(seq);
  return { conversationId: 'c', seq, id, mark, timestamp };
};

const sendingAt = (seq: number): Sending => {
  const { mark, sender, id } = messageAt(seq);
  return {
    mark,
    sender,
    conversationId: 'c',
    outcome: { kind: 'acknowledged', conversationId: 'c', seq, id },
  };
};

const seqs = [3, 4, 5, 6, 7, 8];
const conversation: StoredConversation = {
  id: 'c',
  kind: 'dm',
  hearers: ['alice', 'bob'],
  afterSeq: 2,
  messages: seqs.map(messageAt),
};
const hearingOf = (account: string, heard: readonly number[], kind: Hearing['kind'] = 'client'): Hearing => ({
  kind,
  who: `${account}'s`,
  account,
  heard: heard.map(heardAt),
});

/** Everything as it should be, but what is given. */
function observed(different: Partial<Observation> = {}): Observation {
  return {
    conversations: [conversation],
    sendings: seqs.map(sendingAt),
    hearings: [hearingOf('alice', seqs), hearingOf('bob', seqs)],
    lost: [],
    ...different,
  };
}

const kindsIn = (different: Partial<Observation>): ViolationKind[] =>
  check(observed(different)).map(({ kind }) => kind);
const withAlice = (heard: readonly number[], kind?: Hearing['kind']) => ({
  hearings: [hearingOf('alice', heard, kind), hearingOf('bob', seqs)],
});
const withStored = (messages: StoredConversation['messages']) => ({ conversations: [{ ...conversation, messages }] });
const withSending = (seq: number, outcome: Sending['outcome']) => ({
  sendings: seqs.map((each) => ({ ...sendingAt(each), ...(each === seq && { outcome }) })),
});

it('finds nothing where everybody agrees', () => {
  expect(check(observed())).toEqual([]);
});

describe('what a client heard', () => {
  it.each<[string, number[], ViolationKind[]]>([
    ['nothing', [], seqs.map(() => 'lost')],
    ['all but the last', [3, 4, 5, 6, 7], ['lost']],
    ['all but the first', [4, 5, 6, 7, 8], ['lost']],
    ['one twice', [3, 4, 4, 5, 6, 7, 8], ['doubled']],
    ['one again later', [3, 4, 5, 6, 7, 8, 3], ['doubled']],
    ['two in the wrong order', [3, 5, 4, 6, 7, 8], ['out-of-order']],
    ['one too early', [3, 7, 4, 5, 6, 8], ['out-of-order', 'out-of-order', 'out-of-order']],
    ['what is not stored', [3, 4, 5, 6, 7, 8, 9], ['phantom']],
  ])('%s', (_what, heard, kinds) => {
    expect(kindsIn(withAlice(heard))).toEqual(kinds);
  });

  it('says what, where and who', () => {
    expect(check(observed(withAlice([3, 4, 6, 7, 8])))).toEqual([
      {
        kind: 'lost',
        who: "alice's",
        conversationId: 'c',
        mark: 'alice-5',
        detail: 'at 5; heard 4 before it and 6 after it',
      },
    ]);
  });

  it('need not have what was there before', () => {
    const messages = [1, 2, ...seqs].map(messageAt);
    expect(kindsIn({ ...withStored(messages), ...withAlice([2, ...seqs]) })).toEqual([]);
  });

  it('is of its own conversations, and as it is stored', () => {
    const carol = hearingOf('carol', [3]);
    expect(kindsIn({ hearings: [carol] })).toEqual(['overheard']);
    const altered = { ...hearingOf('alice', seqs), heard: seqs.map((seq) => ({ ...heardAt(seq), seq: seq + 10 })) };
    expect(kindsIn({ hearings: [altered] })).toEqual(seqs.map(() => 'heard-otherwise'));
  });
});

describe('what one connection heard', () => {
  it.each<[string, number[], ViolationKind[]]>([
    ['nothing', [], []],
    ['a part without a gap', [5, 6, 7], []],
    ['a part with a gap', [4, 5, 7], ['lost']],
    ['one twice', [4, 5, 5], ['doubled']],
    ['two in the wrong order', [5, 4, 6], ['out-of-order']],
  ])('%s', (_what, heard, kinds) => {
    expect(kindsIn(withAlice(heard, 'connection'))).toEqual(kinds);
  });

  it('may be without places', () => {
    const withoutPlaces = (heard: number[]): Hearing => ({
      ...hearingOf('alice', [], 'connection'),
      heard: heard.map((seq) => ({ ...heardAt(seq), seq: null })),
    });
    expect(kindsIn({ hearings: [withoutPlaces([4, 5, 6])] })).toEqual([]);
    expect(kindsIn({ hearings: [withoutPlaces([6, 5])] })).toEqual(['out-of-order']);
  });
});

describe('what senders were told', () => {
  it.each<[string, Sending['outcome'], ViolationKind[]]>([
    ['another place', { kind: 'acknowledged', conversationId: 'c', seq: 6, id: 'id-5' }, ['acknowledged-otherwise']],
    ['no place', { kind: 'acknowledged', conversationId: 'c', seq: null, id: 'id-5' }, ['acknowledged-otherwise']],
    ['another message', { kind: 'acknowledged', conversationId: 'c', seq: 5, id: 'id-6' }, ['acknowledged-otherwise']],
    ['that it was refused', { kind: 'refused', code: 'not-found' }, ['refused-and-stored']],
    ['nothing', { kind: 'waiting' }, ['unanswered']],
    ['that it is not known', { kind: 'unknown', why: 'the day was over' }, []],
  ])('%s', (_what, outcome, kinds) => {
    expect(kindsIn(withSending(5, outcome))).toEqual(kinds);
  });

  it('what was acknowledged is stored; what was refused, or is not known, need not be', () => {
    const without5 = [3, 4, 6, 7, 8];
    const different = {
      ...withStored(without5.map(messageAt)),
      hearings: [hearingOf('alice', without5), hearingOf('bob', without5)],
    };
    expect(kindsIn(different)).toEqual(['acknowledged-not-stored']);
    expect(kindsIn({ ...different, ...withSending(5, { kind: 'refused', code: 'blocked' }) })).toEqual([]);
    expect(kindsIn({ ...different, ...withSending(5, { kind: 'unknown', why: 'ended' }) })).toEqual([]);
  });
});

describe('what a failover has lost', () => {
  const lost = [{ id: 'id-9', mark: 'alice-9', atMs: 1_000 }];
  const heard = [...seqs.map(heardAt), heardAt(9)];
  const connection = { kind: 'connection' as const, who: 'raw', account: 'alice', heard };

  it('may have been acknowledged', () => {
    expect(kindsIn({ sendings: [...seqs, 9].map(sendingAt), lost })).toEqual([]);
    expect(kindsIn({ sendings: [...seqs, 9].map(sendingAt) })).toEqual(['acknowledged-not-stored']);
  });

  it('no client holds in the end', () => {
    const alice = { ...hearingOf('alice', []), heard };
    expect(kindsIn({ hearings: [alice, hearingOf('bob', seqs)], lost })).toEqual(['phantom']);
  });

  it('may have been heard on a connection that was closed then', () => {
    const others = [hearingOf('alice', seqs), hearingOf('bob', seqs)];
    expect(kindsIn({ hearings: [...others, { ...connection, endedAtMs: 2_000 }], lost })).toEqual([]);
    expect(kindsIn({ hearings: [...others, { ...connection, endedAtMs: 60_000 }], lost })).toEqual(['diverged']);
    expect(kindsIn({ hearings: [...others, connection], lost })).toEqual(['diverged']);
  });
});

describe('what is stored', () => {
  it('is stored once', () => {
    const twice = { ...messageAt(9), mark: messageAt(5).mark, sender: 'alice' };
    const heard = [...seqs, 9].map((seq) => (seq === 9 ? { ...heardAt(9), mark: twice.mark } : heardAt(seq)));
    const hearings = ['alice', 'bob'].map((account) => ({ ...hearingOf(account, []), heard }));
    // The sender was told of the first one.
    expect(kindsIn({ ...withStored([...seqs.map(messageAt), twice]), hearings })).toEqual([
      'stored-twice',
      'acknowledged-otherwise',
    ]);
  });

  it('was sent by that sender', () => {
    expect(kindsIn({ sendings: seqs.slice(1).map(sendingAt) })).toEqual(['stored-unsent']);
    const stored = seqs.map((seq) => (seq === 4 ? { ...messageAt(4), sender: 'alice' } : messageAt(seq)));
    expect(kindsIn(withStored(stored))).toEqual(['stored-unsent']);
  });

  it('keeps the order of each sender, and no order between senders', () => {
    expect(kindsIn({ sendings: [4, 6, 8, 3, 5, 7].map(sendingAt) })).toEqual([]);
    expect(kindsIn({ sendings: [3, 4, 7, 6, 5, 8].map(sendingAt) })).toEqual(['stored-out-of-order']);
  });

  it('has times that grow', () => {
    const stands = (seq: number) => (seq === 6 ? { timestamp: instant(5) } : {});
    const hearings = ['alice', 'bob'].map((account) => ({
      ...hearingOf(account, []),
      heard: seqs.map((seq) => ({ ...heardAt(seq), ...stands(seq) })),
    }));
    const stored = seqs.map((seq) => ({ ...messageAt(seq), ...stands(seq) }));
    expect(kindsIn({ ...withStored(stored), hearings })).toEqual(['stored-time']);
  });
});

describe('a client whose events are spoilt', () => {
  const found: Record<Sabotage, ViolationKind> = { drop: 'lost', double: 'doubled', swap: 'out-of-order' };

  it.each(sabotages)('%s', (sabotage) => {
    const saboteur = new Saboteur(sabotage, new Map([['c', 2]]));
    // What was there before does not count.
    const heard = [1, 2, ...seqs].map(heardAt).flatMap((message) => saboteur.pass(message));
    const stored = withStored([1, 2, ...seqs].map(messageAt));
    const alice = { ...hearingOf('alice', []), heard };
    expect(kindsIn({ ...stored, hearings: [alice, hearingOf('bob', seqs)] })).toEqual([found[sabotage]]);
    const fetched = seqs.map(heardAt).flatMap((message) => saboteur.passFetched(message));
    expect(fetched).toHaveLength(seqs.length + (sabotage === 'double' ? 1 : -1));
  });
});
