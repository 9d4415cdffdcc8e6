import { type LoadAttack, type Size } from '../attack';
import { attackerAddresses } from '../attacker/addresses';
import { holdResponses, heldResponsesJob } from '../attacker/held-responses';
import { getText } from '../attacker/http-text';
import { ChatRows, controlText, emojiText } from '../target/chat-rows';
import { type Target } from '../target/target';
import { loadAttack } from './load-attack';

interface List {
  name: string;
  summary: string;
  path: string;
  /** Different for each, so that they do not share the limit of an address. */
  block: number;
  fill: (rows: ChatRows, account: string, size: Size) => Promise<unknown>;
}

/** 60 requests at once from one address with one account, and then as many as `REQUESTS_PER_MINUTE` (1,200) allows. */
export const rate = { atOnce: 60, perSecond: 19, maxOpen: 400 };

function unreadList({ name, summary, path, block, fill }: List): LoadAttack {
  return loadAttack({
    name,
    summary,
    services: ['chat'],
    job: heldResponsesJob,
    prepare: async (target: Target, size) => {
      const account = target.newAccount();
      await fill(new ChatRows(target), account, size);
      const { token } = await target.logInToChat(account);
      const { url } = target.service('chat');
      const text = getText(url, path, { authorization: `Bearer ${token}` });
      return { url, texts: [text], addresses: attackerAddresses(block, 1), ...rate };
    },
    run: holdResponses,
  });
}

/** Lists of the chat that one account asks for and does not read. */
export const unreadLists: readonly LoadAttack[] = [
  unreadList({
    name: 'high-1',
    summary: '60 parallel GET /messages/new of 24 MB (control characters), unread',
    path: '/messages/new',
    block: 1,
    fill: (rows, account) => rows.unreadMessages(account, { count: 1_000, text: controlText }),
  }),
  unreadList({
    name: 'high-1-emoji',
    summary: 'the same with the heaviest text that is allowed, 16 MB',
    path: '/messages/new',
    block: 2,
    fill: (rows, account) => rows.unreadMessages(account, { count: 1_000, text: emojiText }),
  }),
  unreadList({
    name: 'high-1-conversations',
    summary: '60 parallel GET /messages/conversations of 1,000 groups, unread',
    path: '/messages/conversations',
    block: 3,
    fill: (rows, account, { isQuick }) => rows.groups(account, { count: isQuick ? 200 : 1_000, members: 250 }),
  }),
  unreadList({
    name: 'high-1-sessions',
    summary: '60 parallel GET /users/sessions of 40,000 sessions, unread',
    path: '/users/sessions',
    block: 4,
    fill: (rows, account) => rows.sessions(account, 40_000),
  }),
  unreadList({
    name: 'high-1-friends',
    summary: '60 parallel GET /users/friends of 100,000 friends, unread',
    path: '/users/friends',
    block: 5,
    fill: (rows, account) => rows.friends(account, 100_000),
  }),
];
