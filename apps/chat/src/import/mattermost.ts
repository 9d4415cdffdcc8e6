import { z } from 'zod';
import { type FoundRecord, type ImportRecord, pastTime, readJsonLines } from './import-record';

/**
 * The objects of a bulk export, with the fields that are imported: github.com/mattermost/mattermost,
 * server/channels/app/imports/import_types.go, which `export.go` beside it writes. Times are in milliseconds.
 */
const reaction = z.object({ user: z.string(), create_at: pastTime, emoji_name: z.string() });
const reply = z.object({
  user: z.string(),
  type: z.string().nullish(),
  message: z.string(),
  create_at: pastTime,
  edit_at: pastTime.nullish(),
  reactions: z.array(reaction).nullish(),
  attachments: z.array(z.object({ path: z.string() })).nullish(),
  props: z.object({ from_webhook: z.unknown(), override_username: z.string().optional().catch(undefined) }).nullish(),
});
const rootPost = z.object({ ...reply.shape, replies: z.array(reply).nullish(), is_pinned: z.boolean().nullish() });
const channelMembership = z.object({ name: z.string(), roles: z.string().nullish() });
const team = z.object({ name: z.string(), channels: z.array(channelMembership).nullish() });
/** `participants` in current versions: `importLineFromDirectChannel` in channels/app/export_converters.go. */
const directMembers = z
  .object({
    members: z.array(z.string()).nullish(),
    participants: z.array(z.object({ username: z.string() })).nullish(),
  })
  .transform(({ members, participants }) => members ?? participants?.map(({ username }) => username) ?? [])
  .refine((members) => members.length > 0, 'a direct channel without members');
const line = z.discriminatedUnion('type', [
  z.object({ type: z.literal('version'), version: z.literal(1) }),
  z.object({
    type: z.literal('channel'),
    channel: z.object({
      team: z.string(),
      name: z.string(),
      display_name: z.string().nullish(),
      type: z.enum(['O', 'P']),
    }),
  }),
  z.object({ type: z.literal('user'), user: z.object({ username: z.string(), teams: z.array(team).nullish() }) }),
  z.object({ type: z.literal('post'), post: z.object({ ...rootPost.shape, team: z.string(), channel: z.string() }) }),
  z.object({ type: z.literal('direct_channel'), direct_channel: directMembers }),
  z.object({
    type: z.literal('direct_post'),
    direct_post: z.object({ ...rootPost.shape, channel_members: z.array(z.string()).min(1) }),
  }),
  z.object({ type: z.enum(['team', 'scheme', 'role', 'emoji', 'bot']) }),
]);

/** How the `type` of system messages begins: `PostSystemMessagePrefix` in server/public/model/post.go. */
const systemPrefix = 'system_';

const channelKey = (teamName: string, name: string) => `${teamName}/${name}`;
/** The export lists the only member of a direct channel with oneself twice. */
const directKey = (members: readonly string[]) => [...new Set(members)].sort().join(',');

/** Reads a bulk export. Posts come by id, not by time (`GetParentsForExportAfter` in sqlstore/post_store.go). */
export function readMattermost(file: string): AsyncGenerator<ImportRecord> {
  return readJsonLines(file, recordsOf);
}

function* recordsOf(value: unknown): Generator<FoundRecord> {
  const parsed = line.parse(value);
  if (parsed.type === 'channel') {
    const { team: teamName, name, display_name, type } = parsed.channel;
    const kind = type === 'O' ? 'channel' : 'group';
    yield { type: 'conversation', key: channelKey(teamName, name), kind, name: display_name || name };
  } else if (parsed.type === 'user') {
    const { username: user, teams } = parsed.user;
    for (const { name: teamName, channels } of teams ?? []) {
      for (const { name, roles } of channels ?? []) {
        // `ImportUserChannelDataFromChannelMemberAndPreferences` appends the role of channel administrators.
        const role = roles?.split(' ').includes('channel_admin') === true ? 'moderator' : 'member';
        yield { type: 'member', conversation: channelKey(teamName, name), user, role };
      }
    }
  } else if (parsed.type === 'direct_channel') yield* directChannel(parsed.direct_channel);
  else if (parsed.type === 'post') yield* posts(channelKey(parsed.post.team, parsed.post.channel), parsed.post);
  else if (parsed.type === 'direct_post') {
    const { channel_members } = parsed.direct_post;
    yield* directChannel(channel_members);
    yield* posts(directKey(channel_members), parsed.direct_post);
  }
}

function* directChannel(members: readonly string[]): Generator<FoundRecord> {
  const key = directKey(members);
  yield { type: 'conversation', key, kind: 'direct' };
  for (const user of members) yield { type: 'member', conversation: key, user, role: 'member' };
}

function* posts(conversation: string, root: z.infer<typeof rootPost>): Generator<FoundRecord> {
  if (root.is_pinned === true) yield { type: 'ignored', what: 'pins' };
  const rootIdentity = identityOf(conversation, root);
  for (const post of [root, ...(root.replies ?? [])]) {
    if (post.type?.startsWith(systemPrefix) === true) {
      yield { type: 'ignored', what: 'system messages' };
      continue;
    }
    const { message, create_at, edit_at, reactions, attachments } = post;
    yield {
      type: 'post',
      post: {
        conversation,
        identity: identityOf(conversation, post),
        ...(post !== root && { repliesTo: rootIdentity }),
        author: authorOf(post),
        sentAtMs: create_at,
        text: message,
        ...(edit_at && { editedAtMs: edit_at }),
        reactions: (reactions ?? []).map((each) => ({ user: each.user, name: each.emoji_name, atMs: each.create_at })),
        files: (attachments ?? []).map(({ path }) => path.slice(path.lastIndexOf('/') + 1)),
      },
    };
  }
}

/**
 * Returns the user, and for a post of a webhook the name that it had: the user only owns the webhook
 * (`CreateWebhookPost` in channels/app/webhook.go, `PostProps…` in public/model/post.go).
 */
function authorOf({ user, props }: z.infer<typeof reply>): string {
  return props?.from_webhook === 'true' ? `${props.override_username ?? user} (webhook)` : user;
}

/**
 * An export has no ids of posts. The importer of Mattermost recognizes a post by its channel, time and text (table
 * "Objects and their unique identifiers" in docs.mattermost.com/onboard/bulk-loading-data-format.html).
 */
function identityOf(conversation: string, { user, create_at, message }: z.infer<typeof reply>): string {
  return JSON.stringify([conversation, user, create_at, message]);
}
