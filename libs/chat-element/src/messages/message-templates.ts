import type { Quote } from '@waggle/client/browser';
import { html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import type { Texts } from '../i18n/en';
import type { Language } from '../i18n/texts';
import type { OutgoingText } from '../store/chat-data';
import { avatar, colorClass } from '../theme/avatar';
import { icon } from '../theme/icons';
import { actionsTemplate, type MessageActions } from './message-actions';
import type { MessageRow } from './message-rows';
import { quoteTemplate } from './quote';
import { reactionsTemplate } from './reactions';
import { textParts } from './text-parts';

interface MessageOptions {
  isOwn: boolean;
  isDm: boolean;
  /** Whether the other account of a dm has read it. */
  isRead: boolean;
  /** The URL of avatars; `{account}` stands for the name. */
  avatars: string | undefined;
  /** The URL of profiles; `{account}` stands for the name. */
  profiles: string;
  language: Language;
  actions: MessageActions;
  /** Whether the menu of emoji belongs to this message. */
  isReacting: boolean;
  /** Shows the message that it replies to; undefined if that is not loaded. */
  onShow: ((id: string) => void) | undefined;
  /** Shows the former texts of a message. */
  onShowFormer: (id: string) => void;
}

/** A stored message. */
export function messageTemplate(
  { message, date, startsGroup, endsGroup }: MessageRow,
  { isOwn, isDm, isRead, avatars, profiles, language, actions, isReacting, onShow, onShowFormer }: MessageOptions,
): TemplateResult {
  const { texts, formats } = language;
  const { id, from, content } = message;
  const classes = { message: true, own: isOwn, starts: startsGroup, ends: endsGroup };
  return html`<li class=${classMap(classes)} data-key=${id} tabindex="-1">
    ${isOwn || isDm || !endsGroup ? nothing : avatar(from, { size: 'small', pattern: avatars })}
    <div class="body">
      <div
        class="bubble"
        part=${isOwn ? 'bubble own-bubble' : 'bubble'}
        title=${endsGroup ? nothing : formats.time(date)}
      >
        ${startsGroup && !isDm && !isOwn ? senderName(from) : visuallyHidden(`${isOwn ? texts.you : from}: `)}
        ${message.reply_to === undefined ? nothing : quoteTemplate(message.reply_to, texts, onShow)}
        <div class="content" dir="auto">
          <span class="text">${richText(content, profiles)}</span>
          <span class=${endsGroup || message.edited_at !== undefined ? 'meta' : 'visually-hidden'}>
            ${message.edited_at === undefined ? nothing : editedMark(id, message.edited_at, language, onShowFormer)}
            ${time(date, language)} ${isOwn ? deliveryMark(isRead, texts) : nothing}
          </span>
        </div>
      </div>
      ${actionsTemplate(message, actions, isReacting, texts)}
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
  language: Language;
  onRetry: () => void;
  onDiscard: () => void;
}

/** A message that is being sent, or could not be sent. */
export function outgoingTemplate(
  { text, replyTo, createdAtMs }: OutgoingText,
  { quote, error, profiles, language, onRetry, onDiscard }: OutgoingOptions,
): TemplateResult {
  const { texts } = language;
  const isFailed = error !== undefined;
  return html`<li class=${classMap({ message: true, own: true, starts: true, ends: true, failed: isFailed })}>
    <div class="body">
      <div class="bubble own-bubble" part="bubble own-bubble">
        ${visuallyHidden(`${texts.you}: `)} ${replyTo === undefined ? nothing : quoteTemplate(quote, texts, undefined)}
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

/** The text of a message with its links. Markup in it stays text. */
function richText(text: string, profiles: string): (string | TemplateResult)[] {
  return textParts(text, profiles).map((part) =>
    part.href === undefined
      ? part.text
      : // `dir` keeps the characters around the link from reversing it.
        html`<a href=${part.href} dir="ltr" title=${part.href} target="_blank" rel="noopener noreferrer nofollow"
          >${part.text}</a
        >`,
  );
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

/** Shows whether the message was sent or read. */
function deliveryMark(isRead: boolean, texts: Texts): TemplateResult {
  return html`<span class=${isRead ? 'read' : ''} role="img" aria-label=${isRead ? texts.read : texts.sent}
    >${icon(isRead ? 'checks' : 'check', 16)}</span
  >`;
}
