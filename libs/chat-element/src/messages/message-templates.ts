import { type Attachment, type Quote, textOf } from '@waggle/client/browser';
import { html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { attachmentsTemplate } from '../attachments/attachment-list';
import type { Texts } from '../i18n/en';
import type { Language } from '../i18n/texts';
import type { OutgoingText } from '../store/chat-data';
import { avatar, colorClass } from '../theme/avatar';
import { icon } from '../theme/icons';
import { actionsTemplate, type MenuKind, type MessageActions } from './message-actions';
import type { MessageRow } from './message-rows';
import { quoteTemplate } from './quote';
import { reactionsTemplate } from './reactions';
import { richText } from './rich-text';

interface MessageOptions {
  /** Who reads it. */
  account: string;
  isOwn: boolean;
  isDm: boolean;
  /** Who has read it, if that is known; in a dm the other account. */
  readers: readonly string[];
  /** Whether it mentions this account, or replies to a message of it. */
  isMention: boolean;
  isPinned: boolean;
  /** The URL of avatars; `{account}` stands for the name. */
  avatars: string | undefined;
  /** The URL of profiles; `{account}` stands for the name. */
  profiles: string;
  /** Hosts from which images are loaded. */
  hosts: readonly string[];
  language: Language;
  actions: MessageActions;
  /** The menu that was opened for this message. */
  menu: MenuKind | undefined;
  /** Shows the message that it replies to; undefined if that is not loaded. */
  onShow: ((id: string) => void) | undefined;
  onShowImage: (attachment: Attachment) => void;
  /** Shows the former texts of a message. */
  onShowFormer: (id: string) => void;
}

/** A stored message. */
export function messageTemplate(
  { message, date, startsGroup, endsGroup }: MessageRow,
  options: MessageOptions,
): TemplateResult {
  const { isOwn, isDm, isMention, isPinned, avatars, profiles, hosts, language, actions, onShow, onShowFormer } =
    options;
  const { texts, formats } = language;
  const { id, from, attachments } = message;
  const classes = { message: true, own: isOwn, starts: startsGroup, ends: endsGroup, mention: isMention };
  return html`<li class=${classMap(classes)} data-key=${id} tabindex="-1">
    ${isOwn || isDm || !endsGroup ? nothing : avatar(from, { size: 'small', pattern: avatars })}
    <div class="body">
      <div
        class="bubble"
        part=${isOwn ? 'bubble own-bubble' : 'bubble'}
        title=${endsGroup ? nothing : formats.time(date)}
      >
        ${startsGroup && !isDm && !isOwn ? senderName(from) : visuallyHidden(`${isOwn ? texts.you : from}: `)}
        ${message.reply_to === undefined ? nothing : quoteTemplate(message.reply_to, hosts, texts, onShow)}
        ${attachmentsTemplate(attachments, hosts, language, options.onShowImage)}
        <div class="content" dir="auto">
          <span class="text">${richText(textOf(message), profiles, message.mentions, options.account)}</span>
          <span class=${isPinned || endsGroup || message.edited_at !== undefined ? 'meta' : 'visually-hidden'}>
            ${message.edited_at === undefined ? nothing : editedMark(id, message.edited_at, language, onShowFormer)}
            ${isPinned ? pinnedMark(texts) : nothing} ${time(date, language)}
            ${isOwn ? deliveryMark(options.readers, isDm, texts) : nothing}
          </span>
        </div>
      </div>
      ${actionsTemplate(message, { actions, menu: options.menu, isPinned, texts })}
    </div>
    ${reactionsTemplate(message, actions.react, language)}
  </li>`;
}

interface OutgoingOptions {
  /** The message that it replies to, if that is loaded. */
  quote: Quote | undefined;
  /** Why it was not sent; undefined while it is being sent. */
  error: string | undefined;
  profiles: string;
  hosts: readonly string[];
  language: Language;
  onRetry: () => void;
  onDiscard: () => void;
}

/** A message that is being sent, or could not be sent. */
export function outgoingTemplate(
  { text, attachments, replyTo, createdAtMs }: OutgoingText,
  { quote, error, profiles, hosts, language, onRetry, onDiscard }: OutgoingOptions,
): TemplateResult {
  const { texts } = language;
  const isFailed = error !== undefined;
  return html`<li class=${classMap({ message: true, own: true, starts: true, ends: true, failed: isFailed })}>
    <div class="body">
      <div class="bubble own-bubble" part="bubble own-bubble">
        ${visuallyHidden(`${texts.you}: `)}
        ${replyTo === undefined ? nothing : quoteTemplate(quote, hosts, texts, undefined)}
        ${attachmentsTemplate(attachments, hosts, language, undefined)}
        <div class="content" dir="auto">
          <span class="text">${richText(text, profiles)}</span>
          <span class="meta">
            ${time(new Date(createdAtMs), language)}
            <span
              class=${isFailed ? 'failed-mark' : ''}
              role="img"
              aria-label=${isFailed ? texts.notSent : texts.sending}
              >${icon(isFailed ? 'alert' : 'clock', 16)}</span
            >
          </span>
        </div>
      </div>
    </div>
    ${
      isFailed
        ? html`<div class="failure" role="alert">
            <span class="error">${texts.notSent}: ${error}</span>
            <button @click=${onRetry}>${texts.retrySend}</button>
            <button @click=${onDiscard}>${texts.discard}</button>
          </div>`
        : nothing
    }
  </li>`;
}

function senderName(account: string): TemplateResult {
  return html`<div class="from ${colorClass(account)}"><bdi>${account}</bdi></div>`;
}

function visuallyHidden(text: string): TemplateResult {
  return html`<span class="visually-hidden">${text}</span>`;
}

function time(date: Date, { formats }: Language): TemplateResult {
  return html`<time datetime=${date.toISOString()} title=${formats.moment(date)}>${formats.time(date)}</time>`;
}

function editedMark(
  id: string,
  editedAt: string,
  { texts, formats }: Language,
  onShowFormer: (id: string) => void,
): TemplateResult {
  return html`<button
    class="edited"
    title=${texts.editedAt(formats.moment(new Date(editedAt)))}
    @click=${() => {
      onShowFormer(id);
    }}
  >
    ${texts.edited}
  </button>`;
}

function pinnedMark(texts: Texts): TemplateResult {
  return html`<span role="img" aria-label=${texts.pinned} title=${texts.pinned}>${icon('pin', 14)}</span>`;
}

/** Shows whether the message was sent or read. */
function deliveryMark(readers: readonly string[], isDm: boolean, texts: Texts): TemplateResult {
  const isRead = readers.length > 0;
  const text = !isRead ? texts.sent : isDm ? texts.read : texts.readBy(readers.join(', '));
  return html`<span class=${isRead ? 'read' : ''} role="img" aria-label=${text} title=${text}
    >${icon(isRead ? 'checks' : 'check', 16)}</span
  >`;
}
