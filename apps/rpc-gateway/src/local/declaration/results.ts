import { accountName } from '@waggle/contracts';
import { z } from 'zod';
import { communityRoles } from '../../communities/roles';
import { notificationId } from '../../notifications/notification-id';
import { notificationTypes } from '../../notifications/notification-types';

const itemFields = {
  // More bits than `z.int()` allows.
  id: z.number().meta({ type: 'integer', description: 'Ascends with time; `last_id` of the next page' }),
  type: z.enum(notificationTypes),
  score: z.int().min(1).max(100).meta({ description: 'Relevance' }),
  date: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    .meta({ description: 'UTC' }),
  msg: z.string().meta({ description: 'For people' }),
  url: z.string().meta({ description: '`@author/permlink`, otherwise `c/<community>`, otherwise `@account`' }),
};

/** Newest first. */
export const notificationItems = z.array(z.strictObject(itemFields)).meta({ id: 'NotificationItems' });

/** The data of an event: the same with the account. */
export const notificationEvent = z.strictObject({ account: accountName, ...itemFields });

export const exampleItems: z.infer<typeof notificationItems> = [
  {
    id: Number(notificationId(new Date('2025-01-15T12:30:45Z'), 'reply', 0)),
    type: 'reply',
    score: 46,
    date: '2025-01-15T12:30:45',
    msg: '@bob replied to your post',
    url: '@bob/re-the-first-swarm',
  },
];

export const role = z.enum(Object.keys(communityRoles)).meta({ description: 'The role in the community' });

/** An account with a role in a community: name, role and title. */
export const member = z.tuple([accountName, role, z.string()]);

export const communityContext = z
  .strictObject({ role, subscribed: z.boolean(), title: z.string() })
  .partial()
  .meta({ id: 'CommunityContext', description: 'The role of the observer; empty without an observer' });

const count = z.int().min(0);

/** The fields of a community in lists. */
export const communityFields = {
  id: z.int(),
  name: z.string(),
  title: z.string(),
  about: z.string(),
  lang: z.string().meta({ description: 'ISO 639-1' }),
  type_id: z
    .int()
    .min(1)
    .max(3)
    .meta({ description: '1: everyone may post; 2: members post, everyone comments; 3: only members' }),
  is_nsfw: z.boolean(),
  subscribers: count,
  sum_pending: z.int().meta({ description: 'Pending payout of its unpaid posts, in HBD' }),
  num_pending: count.meta({ description: 'Number of unpaid posts' }),
  num_authors: count.meta({ description: 'Number of their authors' }),
  created_at: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  context: communityContext,
};

export const exampleCommunity = {
  id: 7,
  name: 'hive-100001',
  title: 'Bees',
  about: 'Everything that hums',
  lang: 'en',
  type_id: 1,
  is_nsfw: false,
  subscribers: 2,
  sum_pending: 12,
  num_pending: 3,
  num_authors: 2,
  created_at: '2025-01-15 12:30:45',
  context: {},
};
