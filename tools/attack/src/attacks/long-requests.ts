import { bigAccount } from '@waggle/running';
import { getText, postText } from '../attacker/http-text';
import { batchOf } from './unread-batches';
import { ChatRows, emojiText } from '../target/chat-rows';
import { type Target } from '../target/target';
import { fillVideoSessions } from '../target/video-rows';

// Requests whose responses are long where nothing limits them, one for each service.

/** 16 MB: the unread messages of an account. */
export async function longChatRequest(target: Target): Promise<string> {
  const account = target.newAccount();
  await new ChatRows(target).unreadMessages(account, { count: 1_000, text: emojiText });
  const { token } = await target.logInToChat(account);
  return getText(target.service('chat').url, '/messages/new', { authorization: `Bearer ${token}` });
}

/** 3 MB: a batch of calls whose response is cached. */
export function longGatewayRequest(target: Target): string {
  return postText(target.service('rpc-gateway').url, '/rpc', batchOf('bridge.get_ranked_posts', 5));
}

/** 1 MB: lists of 1,000 delegations, pipelined. */
export function longDelegationRequests(target: Target): string {
  return getText(target.service('delegation').url, `/api/deleg/in?account=${bigAccount}&limit=1000`).repeat(20);
}

/** 4 MB: the sessions of an account. */
export async function longVideoRequest(target: Target): Promise<string> {
  const account = target.newAccount();
  const token = await target.logInToVideo(account);
  await fillVideoSessions(target, account, 20_000);
  return getText(target.service('video-auth').url, '/api/v1/auth/sessions', { authorization: `Bearer ${token}` });
}
