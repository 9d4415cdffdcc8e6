import { writeFileSync } from 'node:fs';
import { Random } from '@waggle/testing';

/** The accounts of the users; in Mattermost they have other names. */
export const accounts = ['alice', 'bob', 'carol', 'dave', 'erin'];
const userOf = (account: string) => `${account}.smith`;
/** A mapping file. */
export const mapping = accounts.map((account) => `${userOf(account)},${account}\n`).join('');

/** A message that the chat should have after the import. */
export interface ExpectedMessage {
  from: string;
  text: string;
  timestamp: string;
  replyTo?: string;
  editedAt?: string;
  reactions: string[];
}

/** A bulk export, and what the chat should have after its import. */
export interface GeneratedExport {
  /** By the name of the channel, or the members of a direct channel. */
  conversations: Record<string, ExpectedMessage[]>;
  lines: string[];
}

const toLine = (type: string, value: unknown) => JSON.stringify({ type, [type]: value });
const emojis = { '+1': '👍', heart: '❤️', tada: '🎉' };
const places = [
  { team: 'hive', channel: 'town-square' },
  { team: 'hive', channel: 'keepers' },
  { channel_members: ['alice', 'bob'] },
  { channel_members: ['carol', 'alice', 'dave'] },
];

/**
 * Generates posts with replies, reactions and edits, as `export.go` of Mattermost writes them: posts in random order,
 * each with its replies, and the ones of direct channels last.
 */
export function generateExport(posts: number, seed = 1): GeneratedExport {
  const random = new Random(seed);
  const conversations: GeneratedExport['conversations'] = {};
  const written: { isDirect: boolean; line: string }[] = [];
  const iso = (atMs: number) => new Date(atMs).toISOString();
  const newPost = (from: string, at: number, text: string) => {
    const emoji = random.chance(0.2) ? random.pick(['+1', 'heart', 'tada'] as const) : undefined;
    const isEdited = random.chance(0.1);
    const fields = {
      user: userOf(from),
      type: '',
      message: text,
      create_at: at,
      edit_at: isEdited ? at + 5_000 : 0,
      reactions: emoji ? [{ user: userOf(from), create_at: at + 9, emoji_name: emoji }] : null,
    };
    const expected: ExpectedMessage = { from, text, timestamp: iso(at), reactions: emoji ? [emojis[emoji]] : [] };
    return { fields, expected: isEdited ? { ...expected, editedAt: iso(at + 5_000) } : expected };
  };
  for (let n = 0; n < posts;) {
    const place = random.pick(places);
    const authors = place.channel_members ?? accounts;
    const key = place.channel ?? place.channel_members.toSorted().join(',');
    const messages = (conversations[key] ??= []);
    // Replies are interleaved with later posts.
    const at = 1_600_000_000_000 + n * 60_000;
    const root = newPost(random.pick(authors), at, `Post ${n} — bees ü 🐝`);
    messages.push(root.expected);
    n += 1;
    const replies = Array.from({ length: random.chance(0.3) ? Math.min(3, posts - n) : 0 }, (_, i) => {
      const reply = newPost(random.pick(authors), at + (i + 1) * 200_000 + 7, `Reply ${n}`);
      messages.push({ ...reply.expected, replyTo: root.expected.text });
      n += 1;
      return reply.fields;
    });
    const members = place.channel_members && { channel_members: place.channel_members.map(userOf) };
    const post = { ...place, ...members, ...root.fields, replies };
    written.push({ isDirect: members !== undefined, line: toLine(members ? 'direct_post' : 'post', post) });
  }
  for (const messages of Object.values(conversations)) messages.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  const ordered = written.map((each) => ({ ...each, order: random.next() })).toSorted((a, b) => a.order - b.order);
  const channels = [
    { team: 'hive', name: 'town-square', display_name: 'Town Square', type: 'O' },
    { team: 'hive', name: 'keepers', display_name: 'Keepers', type: 'P' },
  ];
  const users = accounts.map((account) => {
    const roles = account === 'bob' ? 'channel_user channel_admin' : 'channel_user';
    return {
      username: userOf(account),
      teams: [{ name: 'hive', channels: channels.map(({ name }) => ({ name, roles })) }],
    };
  });
  const systemPost = {
    ...places[0],
    ...newPost('bob', 1_500_000_000_000, 'bob joined').fields,
    type: 'system_join_channel',
  };
  return {
    conversations,
    lines: [
      JSON.stringify({ type: 'version', version: 1, info: { generator: 'mattermost-server' } }),
      toLine('team', { name: 'hive' }),
      ...channels.map((channel) => toLine('channel', channel)),
      ...users.map((user) => toLine('user', user)),
      toLine('post', systemPost),
      ...ordered.filter(({ isDirect }) => !isDirect).map(({ line }) => line),
      toLine('direct_channel', { participants: ['alice', 'erin'].map((name) => ({ username: userOf(name) })) }),
      ...ordered.filter(({ isDirect }) => isDirect).map(({ line }) => line),
    ],
  };
}

export function writeLines(file: string, lines: readonly string[]): void {
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
}
