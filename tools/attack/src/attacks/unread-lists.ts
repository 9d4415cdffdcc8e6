import { type Size } from '../target/size';
import { ChatRows, controlText, emojiText } from '../target/chat-rows';
import { type Target } from '../target/target';
import { attackerAddresses } from '../traffic/addresses';
import { getText, heldResponsesJob, holdResponses, nextPage, tooLong } from '../traffic/hold-responses';
import { hasCounted, type LoadAttack, loadAttack } from './attack';

interface List {
  name: string;
  summary: string;
  path: string;
  /** Different for each, so that they do not share the limit of an address. */
  block: number;
  fill: (rows: ChatRows, account: string, size: Size) => Promise<unknown>;
}

/** 60 requests at once from one address with one account, and then as many as `REQUESTS_PER_MINUTE` (1,200) allows. */
export const listRequestPace = { burst: 60, perSecond: 19, maxOpen: 400 };

/** Lists are limited to 512 KiB. Their brackets and commas are not counted. */
export const maxListBytes = 2 ** 19 + 2 ** 16;

function unreadList({ path, block, fill, ...description }: List): LoadAttack {
  return loadAttack({
    ...description,
    services: ['chat'],
    job: heldResponsesJob,
    isLimited: hasCounted(nextPage, 'status 429'),
    forbidden: [tooLong],
    prepare: async (target: Target, size) => {
      const account = target.newAccount();
      await fill(new ChatRows(target), account, size);
      const { token } = await target.logInToChat(account);
      const { url } = target.service('chat');
      const text = getText(url, path, { authorization: `Bearer ${token}` });
      return {
        url,
        texts: [text],
        addresses: attackerAddresses(block, 1),
        ...listRequestPace,
        maxResponseBytes: maxListBytes,
      };
    },
    run: holdResponses,
  });
}

/** Lists of the chat that one account requests and does not read. */
export const unreadLists: readonly LoadAttack[] = [
  unreadList({
    name: 'high-1',
    summary: '60 parallel GET /messages/new of 24 MB (control characters), unread',
    path: '/messages/new',
    block: 1,
    fill: (rows, account, { isQuick }) =>
      rows.unreadMessages(account, { count: isQuick ? 40 : 1_000, text: controlText }),
  }),
  unreadList({
    name: 'high-1-emoji',
    summary: '60 parallel GET /messages/new of 16 MB (the largest text that may be sent), unread',
    path: '/messages/new',
    block: 2,
    fill: (rows, account, { isQuick }) =>
      rows.unreadMessages(account, { count: isQuick ? 60 : 1_000, text: emojiText }),
  }),
  unreadList({
    name: 'high-1-conversations',
    summary: '60 parallel GET /messages/conversations of 1,000 groups, unread',
    path: '/messages/conversations',
    block: 3,
    fill: (rows, account, { isQuick }) => rows.groups(account, { count: isQuick ? 150 : 1_000, members: 250 }),
  }),
  unreadList({
    name: 'high-1-sessions',
    summary: '60 parallel GET /users/sessions of 40,000 sessions, unread',
    path: '/users/sessions',
    block: 4,
    fill: (rows, account, { isQuick }) => rows.sessions(account, isQuick ? 5_000 : 40_000),
  }),
  unreadList({
    name: 'high-1-friends',
    summary: '60 parallel GET /users/friends of 100,000 friends and 100,000 blocked accounts, unread',
    path: '/users/friends',
    block: 5,
    fill: (rows, account, { isQuick }) => rows.friendsAndBlocks(account, isQuick ? 10_500 : 100_000),
  }),
];
