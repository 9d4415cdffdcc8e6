import {
  type Change,
  noChanges,
  type Observation,
  type Receiver,
  type SentMessage,
  type StoredConversation,
} from '../observation';
import { check } from './check';
import { type ViolationKind } from './violation';

const instant = (seq: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, 0, seq)).toISOString();

/** Messages with odd sequence numbers are alice's. */
const messageAt = (seq: number) => {
  const sender = seq % 2 === 1 ? 'alice' : 'bob';
  const message = { seq, id: `id-${seq}`, tag: `${sender}-${seq}`, sender, timestamp: instant(seq) };
  return { ...message, isDeleted: false, expectedMentions: [], mentions: [], edits: [] };
};

const receivedAt = (seq: number) => {
  const { id, tag, timestamp } = messageAt(seq);
  return { conversationId: 'c', seq, id, tag, timestamp };
};

const sentAt = (seq: number): SentMessage => {
  const { tag, sender, id } = messageAt(seq);
  return {
    tag,
    sender,
    conversationId: 'c',
    result: { kind: 'acknowledged', conversationId: 'c', seq, id },
  };
};

const seqs = [3, 4, 5, 6, 7, 8];
const conversation: StoredConversation = {
  id: 'c',
  kind: 'dm',
  subscribers: ['alice', 'bob'],
  startSeq: 2,
  messages: seqs.map(messageAt),
};
const receiverOf = (account: string, received: readonly number[], kind: Receiver['kind'] = 'client'): Receiver => ({
  kind,
  name: `${account}'s`,
  account,
  received: received.map(receivedAt),
});

function observed(different: Partial<Observation> = {}): Observation {
  return {
    conversations: [conversation],
    sentMessages: seqs.map(sentAt),
    receivers: [receiverOf('alice', seqs), receiverOf('bob', seqs)],
    lost: [],
    ...noChanges,
    ...different,
  };
}

const kindsIn = (different: Partial<Observation>): ViolationKind[] =>
  check(observed(different)).map(({ kind }) => kind);
const withAlice = (received: readonly number[], kind?: Receiver['kind']) => ({
  receivers: [receiverOf('alice', received, kind), receiverOf('bob', seqs)],
});
const withStored = (messages: StoredConversation['messages']) => ({ conversations: [{ ...conversation, messages }] });
const withResult = (seq: number, result: SentMessage['result']) => ({
  sentMessages: seqs.map((each) => ({ ...sentAt(each), ...(each === seq && { result }) })),
});

it('finds no violation if everything agrees', () => {
  expect(check(observed())).toEqual([]);
});

describe('what a client received', () => {
  it.each<[string, number[], ViolationKind[]]>([
    ['nothing', [], seqs.map(() => 'lost')],
    ['all but the last', [3, 4, 5, 6, 7], ['lost']],
    ['all but the first', [4, 5, 6, 7, 8], ['lost']],
    ['one twice', [3, 4, 4, 5, 6, 7, 8], ['duplicate']],
    ['one again later', [3, 4, 5, 6, 7, 8, 3], ['duplicate']],
    ['two in the wrong order', [3, 5, 4, 6, 7, 8], ['out-of-order']],
    ['one too early', [3, 7, 4, 5, 6, 8], ['out-of-order', 'out-of-order', 'out-of-order']],
    ['what is not stored', [3, 4, 5, 6, 7, 8, 9], ['phantom']],
  ])('%s', (_what, received, kinds) => {
    expect(kindsIn(withAlice(received))).toEqual(kinds);
  });

  it('describes a violation', () => {
    expect(check(observed(withAlice([3, 4, 6, 7, 8])))).toEqual([
      {
        kind: 'lost',
        observer: "alice's",
        conversationId: 'c',
        tag: 'alice-5',
        detail: 'at 5; received 4 before it and 6 after it',
      },
    ]);
  });

  it('may lack messages from before the start', () => {
    const messages = [1, 2, ...seqs].map(messageAt);
    expect(kindsIn({ ...withStored(messages), ...withAlice([2, ...seqs]) })).toEqual([]);
  });

  it('must belong to its own conversations and match the stored ones', () => {
    const carol = receiverOf('carol', [3]);
    expect(kindsIn({ receivers: [carol] })).toEqual(['not-subscribed']);
    const altered = {
      ...receiverOf('alice', seqs),
      received: seqs.map((seq) => ({ ...receivedAt(seq), seq: seq + 10 })),
    };
    expect(kindsIn({ receivers: [altered] })).toEqual(seqs.map(() => 'content-differs'));
  });
});

describe('what one connection received', () => {
  it.each<[string, number[], ViolationKind[]]>([
    ['nothing', [], []],
    ['a part without a gap', [5, 6, 7], []],
    ['a part with a gap', [4, 5, 7], ['lost']],
    ['one twice', [4, 5, 5], ['duplicate']],
    ['two in the wrong order', [5, 4, 6], ['out-of-order']],
  ])('%s', (_what, received, kinds) => {
    expect(kindsIn(withAlice(received, 'connection'))).toEqual(kinds);
  });

  it('may lack sequence numbers', () => {
    const withoutSeqs = (received: number[]): Receiver => ({
      ...receiverOf('alice', [], 'connection'),
      received: received.map((seq) => ({ ...receivedAt(seq), seq: null })),
    });
    expect(kindsIn({ receivers: [withoutSeqs([4, 5, 6])] })).toEqual([]);
    expect(kindsIn({ receivers: [withoutSeqs([6, 5])] })).toEqual(['out-of-order']);
  });
});

describe('the result of a message', () => {
  it.each<[string, SentMessage['result'], ViolationKind[]]>([
    [
      'another sequence number',
      { kind: 'acknowledged', conversationId: 'c', seq: 6, id: 'id-5' },
      ['acknowledgment-differs'],
    ],
    [
      'no sequence number',
      { kind: 'acknowledged', conversationId: 'c', seq: null, id: 'id-5' },
      ['acknowledgment-differs'],
    ],
    ['another message', { kind: 'acknowledged', conversationId: 'c', seq: 5, id: 'id-6' }, ['acknowledgment-differs']],
    ['rejected', { kind: 'rejected', code: 'not-found' }, ['rejected-but-stored']],
    ['no result', { kind: 'pending' }, ['no-result']],
    ['unknown', { kind: 'unknown', reason: 'ended' }, []],
  ])('%s', (_what, result, kinds) => {
    expect(kindsIn(withResult(5, result))).toEqual(kinds);
  });

  it('must be stored if it was acknowledged', () => {
    const without5 = [3, 4, 6, 7, 8];
    const different = {
      ...withStored(without5.map(messageAt)),
      receivers: [receiverOf('alice', without5), receiverOf('bob', without5)],
    };
    expect(kindsIn(different)).toEqual(['acknowledged-not-stored']);
    expect(kindsIn({ ...different, ...withResult(5, { kind: 'rejected', code: 'blocked' }) })).toEqual([]);
    expect(kindsIn({ ...different, ...withResult(5, { kind: 'unknown', reason: 'ended' }) })).toEqual([]);
  });
});

describe('a message that a failover has lost', () => {
  const lost = [{ id: 'id-9', tag: 'alice-9', replacedAtMs: 1_000 }];
  const received = [...seqs.map(receivedAt), receivedAt(9)];
  const connection = { kind: 'connection' as const, name: 'raw', account: 'alice', received };

  it('may have been acknowledged', () => {
    expect(kindsIn({ sentMessages: [...seqs, 9].map(sentAt), lost })).toEqual([]);
    expect(kindsIn({ sentMessages: [...seqs, 9].map(sentAt) })).toEqual(['acknowledged-not-stored']);
  });

  it('must be discarded by clients', () => {
    const alice = { ...receiverOf('alice', []), received };
    expect(kindsIn({ receivers: [alice, receiverOf('bob', seqs)], lost })).toEqual(['phantom']);
  });

  it('may have been received on a connection that was closed', () => {
    const others = [receiverOf('alice', seqs), receiverOf('bob', seqs)];
    expect(kindsIn({ receivers: [...others, { ...connection, endedAtMs: 2_000 }], lost })).toEqual([]);
    expect(kindsIn({ receivers: [...others, { ...connection, endedAtMs: 60_000 }], lost })).toEqual(['diverged']);
    expect(kindsIn({ receivers: [...others, connection], lost })).toEqual(['diverged']);
  });
});

describe('a stored message', () => {
  it('must be stored once', () => {
    const twice = { ...messageAt(9), tag: messageAt(5).tag, sender: 'alice' };
    const received = [...seqs, 9].map((seq) => (seq === 9 ? { ...receivedAt(9), tag: twice.tag } : receivedAt(seq)));
    const receivers = ['alice', 'bob'].map((account) => ({ ...receiverOf(account, []), received }));
    // The acknowledgment has the first one.
    expect(kindsIn({ ...withStored([...seqs.map(messageAt), twice]), receivers })).toEqual([
      'stored-twice',
      'acknowledgment-differs',
    ]);
  });

  it('must be from its sender', () => {
    expect(kindsIn({ sentMessages: seqs.slice(1).map(sentAt) })).toEqual(['stored-unsent']);
    const stored = seqs.map((seq) => (seq === 4 ? { ...messageAt(4), sender: 'alice' } : messageAt(seq)));
    expect(kindsIn(withStored(stored))).toEqual(['stored-unsent']);
  });

  it('must be in the order of its sender only', () => {
    expect(kindsIn({ sentMessages: [4, 6, 8, 3, 5, 7].map(sentAt) })).toEqual([]);
    expect(kindsIn({ sentMessages: [3, 4, 7, 6, 5, 8].map(sentAt) })).toEqual(['stored-out-of-order']);
  });

  it('must have an increasing time', () => {
    const repeatedTime = (seq: number) => (seq === 6 ? { timestamp: instant(5) } : {});
    const receivers = ['alice', 'bob'].map((account) => ({
      ...receiverOf(account, []),
      received: seqs.map((seq) => ({ ...receivedAt(seq), ...repeatedTime(seq) })),
    }));
    const stored = seqs.map((seq) => ({ ...messageAt(seq), ...repeatedTime(seq) }));
    expect(kindsIn({ ...withStored(stored), receivers })).toEqual(['stored-time']);
  });
});

describe('changes', () => {
  const key = 'pin id-5';
  const change = (value: number, different: Partial<Change> = {}): Change => ({
    ...{ account: 'alice', messageId: 'id-5', key, effect: 'set', value, text: '', result: 'confirmed' },
    ...{ revision: 0, mayRepeat: false, sentAtMs: 10, endedAtMs: 20 },
    ...different,
  });
  const unknown = (value: number) => change(value, { result: 'unknown' });
  const read = (effect: 'raise' | 'lower', value: number) => change(value, { effect });

  it.each<[string, Change[], number, ViolationKind[]]>([
    ['nothing', [], 0, []],
    ['a value without a change', [], 1, ['value-differs']],
    ['a confirmed change', [change(1)], 1, []],
    ['a lost change', [change(1)], 0, ['value-differs']],
    ['a change that a later one replaced', [change(1), change(0)], 0, []],
    ['a later change that was lost', [change(1), change(0)], 1, ['value-differs']],
    ['a rejected change', [change(1, { result: 'rejected' })], 1, ['value-differs']],
    ['an unknown change that took effect', [unknown(1)], 1, []],
    ['an unknown change that did not', [unknown(1)], 0, []],
    ['an unknown change that took effect late', [unknown(1), change(0)], 1, []],
    ['a change that was repeated late', [change(1, { mayRepeat: true }), change(0)], 1, []],
    ['a lost change during a failover', [change(1, { sentAtMs: 30, endedAtMs: 50 })], 0, []],
    ['a read position that moved forth and back', [read('raise', 7), read('raise', 5), read('lower', 6)], 6, []],
    ['a read position that did not move back', [read('raise', 7), read('lower', 5)], 7, ['value-differs']],
  ])('%s', (_what, changes, value, kinds) => {
    const lossPeriods = [{ sinceMs: 40, untilMs: 60 }];
    expect(kindsIn({ changes, lossPeriods, values: value === 0 ? {} : { [key]: value } })).toEqual(kinds);
  });

  it.each<[string, string[], Change['result'], ViolationKind[]]>([
    ['confirmed', ['one'], 'confirmed', []],
    ['lost', [], 'confirmed', ['edit-lost']],
    ['stored twice', ['one', 'one'], 'confirmed', ['edit-unsent']],
    ['stored as another revision', ['two', 'one'], 'confirmed', ['edit-lost', 'edit-unsent']],
    ['rejected but stored', ['one'], 'rejected', ['edit-unsent']],
    ['unknown and stored', ['one'], 'unknown', []],
    ['unknown and not stored', [], 'unknown', []],
  ])('an edit that is %s', (_what, edits, result, kinds) => {
    const edit = change(0, { key: 'text id-5', effect: 'edit', text: 'one', revision: 1, result });
    const messages = seqs.map((seq) => ({ ...messageAt(seq), edits: seq === 5 ? edits : [] }));
    expect(kindsIn({ ...withStored(messages), changes: [edit] })).toEqual(kinds);
  });

  it('must leave the mentions of the text', () => {
    const messages = seqs.map((seq) => ({ ...messageAt(seq), expectedMentions: seq === 5 ? ['bob'] : [] }));
    expect(kindsIn(withStored(messages))).toEqual(['mention-differs']);
  });

  it('may be a deletion, whose message clients need not have received', () => {
    const messages = seqs.map((seq) => ({ ...messageAt(seq), isDeleted: seq === 5 }));
    expect(kindsIn({ ...withStored(messages), ...withAlice([3, 4, 6, 7, 8]) })).toEqual([]);
  });
});

describe('a device', () => {
  const values = { 'read c bob': 4, 'reaction id-5 👍 bob': 1, 'reaction id-5 👍 alice': 1 };
  const messages = seqs.map((seq) => ({
    ...messageAt(seq),
    ...(seq === 5 && { edits: ['one', 'two'], mentions: [{ account: 'bob', seq: 5 }], expectedMentions: ['bob'] }),
  }));
  const texts = { unread: '2', mentions: '1', 'text id-5': 'two', 'reactions id-5': '👍 2 own' };
  const sent = ['one', 'two'].map((text, index): Change => ({
    ...{ account: 'alice', messageId: 'id-5', key: 'text id-5', effect: 'edit', value: 0, text, result: 'confirmed' },
    ...{ revision: index + 1, mayRepeat: false, sentAtMs: 0, endedAtMs: 0 },
  }));
  const kindsOf = (shown: object, fetched: object) =>
    kindsIn({
      ...{ ...withStored(messages), changes: sent, initialValues: values, values },
      devices: [{ account: 'bob', shown: { c: { ...texts, ...shown } }, fetched: { c: { ...texts, ...fetched } } }],
    });

  it('shows what it fetches', () => {
    expect(kindsOf({}, {})).toEqual([]);
    expect(kindsOf({ 'text id-5': 'one' }, {})).toEqual(['state-differs']);
    expect(kindsOf({ pins: 'id-5' }, {})).toEqual(['state-differs']);
  });

  it.each([{ unread: '3' }, { mentions: '0' }, { 'text id-5': 'one' }, { 'reactions id-5': '👍 1' }])(
    'fetches what is stored, unlike %j',
    (different) => {
      expect(kindsOf(different, different)).toEqual(['fetched-differs']);
    },
  );
});
