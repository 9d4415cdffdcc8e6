import type { ConversationChange } from '@waggle/client/browser';
import { html, type TemplateResult } from 'lit';
import { otherAccount, titleOf } from '../conversations/naming';
import type { Language } from '../i18n/texts';
import type { ConversationData } from '../store/chat-data';
import { avatar } from '../theme/avatar';
import type { MessageRow, Row } from './message-rows';

/** What is between messages: a day, the divider above the unread messages, or a change of the conversation. */
export function separatorTemplate(row: Exclude<Row, MessageRow>, language: Language): TemplateResult {
  const { texts, formats } = language;
  if (row.kind === 'unread') return html`<li class="unread" data-key=${row.key}>${texts.unreadDivider}</li>`;
  if (row.kind === 'change')
    return html`<li class="change" data-key=${row.key} dir="auto">${changeTemplate(row.change, language)}</li>`;
  return html`<li class="day" data-key=${row.key}>${formats.dayHeading(row.date, new Date(), texts)}</li>`;
}

function changeTemplate(
  { type, by, username, name, timestamp }: ConversationChange,
  { texts, formats }: Language,
): TemplateResult {
  const date = new Date(timestamp);
  // Isolated, since a name may have another direction than the text.
  const what = username ?? `\u2068${name ?? ''}\u2069`;
  // A newer service has types that this version does not know.
  const text = Object.hasOwn(texts.conversationChanges, type) ? texts.conversationChanges[type](by, what) : '';
  return html`${text} <time datetime=${timestamp} title=${formats.moment(date)}>${formats.time(date)}</time>`;
}

/** The title of a conversation, above its first message. */
export function beginningTemplate(
  conversation: ConversationData,
  {
    account,
    isEmpty,
    avatars,
    language,
  }: { account: string; isEmpty: boolean; avatars: string | undefined; language: Language },
): TemplateResult {
  const { texts } = language;
  const { type } = conversation;
  const title = titleOf(conversation, account, language);
  const name = type === 'dm' ? otherAccount(conversation, account) : title;
  return html`<div class="empty beginning">
    ${avatar(name, { size: 'large', kind: type, pattern: avatars })}
    <strong><bdi>${title}</bdi></strong>
    <p dir="auto">${isEmpty ? `${texts.noMessages}. ${texts.noMessagesHint}` : texts.historyStart}</p>
  </div>`;
}
