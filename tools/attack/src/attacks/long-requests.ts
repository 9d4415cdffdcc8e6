import { bigAccount } from '@waggle/running';
import { getText, postText } from '../traffic/hold-responses';
import { batchOf } from './unread-batches';
import { ChatRows, emojiText } from '../target/chat-rows';
import { type Size } from '../target/size';
import { type Target } from '../target/target';
import { fillVideoSessions } from '../target/video-rows';

// Requests with large responses, one for each service. Sizes are those without limits.

/** The unread messages of an account: 16 MB, in a short form 1 MB. */
export async function longChatRequest(target: Target, { isQuick }: Size): Promise<string> {
  const account = target.newAccount();
  await new ChatRows(target).unreadMessages(account, { count: isQuick ? 60 : 1_000, text: emojiText });
  const { token } = await target.logInToChat(account);
  return getText(target.service('chat').url, '/messages/new', { authorization: `Bearer ${token}` });
}

/** A batch of calls; 600 KB are cached for each. */
export function longGatewayRequest(target: Target, calls = 5): string {
  return postText(target.service('rpc-gateway').url, '/rpc', batchOf('condenser_api.get_account_history', calls));
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
