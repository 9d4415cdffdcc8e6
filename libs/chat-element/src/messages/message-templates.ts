import { html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { copyText } from '../elements/copy-text';
import type { Texts } from '../i18n/en';
import type { Language } from '../i18n/texts';
import type { OutgoingText } from '../store/chat-data';
import { avatar, colorClass } from '../theme/avatar';
import { icon, type IconName } from '../theme/icons';
import type { MessageRow } from './message-rows';
import { textParts } from './text-parts';

interface MessageOptions {
  isOwn: boolean;
  isDm: boolean;
  /** Whether the other account of a dm has read it. */
  isRead: boolean;
  /** Address of avatars, with `{account}`. */
  avatars: string | undefined;
  /** Address of profiles, with `{account}`. */
  profiles: string;
  language: Language;
  /** Undefined if the account may not delete the message. */
  onDelete: ((id: string) => void) | undefined;
}

/** A stored message. */
export function messageTemplate(
  { message, date, startsGroup, endsGroup }: MessageRow,
  { isOwn, isDm, isRead, avatars, profiles, language, onDelete }: MessageOptions,
): TemplateResult {
  const { texts, formats } = language;
  const { id, from, content, timestamp } = message;
  const classes = { message: true, own: isOwn, starts: startsGroup, ends: endsGroup };
  return html`<li class=${classMap(classes)} data-key=${id} tabindex="-1">
    ${isOwn || isDm || !endsGroup ? nothing : avatar(from, { size: 'small', pattern: avatars })}
    <div class="body">
      <div
        class="bubble"
        part=${isOwn ? 'bubble own-bubble' : 'bubble'}
        title=${endsGroup ? nothing : formats.time(date)}
      >
        ${
          isOwn
            ? hidden(`${texts.you}: `)
            : startsGroup && !isDm
              ? html`<div class="from ${colorClass(from)}"><bdi>${from}</bdi></div>`
              : hidden(`${from}: `)
        }
        <span class="text" dir="auto">${richText(content, profiles)}</span>
        <span class=${endsGroup ? 'meta' : 'visually-hidden'}>
          <time datetime=${timestamp} title=${formats.moment(date)}>${formats.time(date)}</time>
          ${isOwn ? readMark(isRead, texts) : nothing}
        </span>
      </div>
      <div class="actions">
        ${actionButton('copy', texts.copy, () => void copyText(content))}
        ${
          onDelete === undefined
            ? nothing
            : actionButton('trash', texts.deleteMessage, () => {
                onDelete(id);
              })
        }
      </div>
    </div>
  </li>`;
}

interface OutgoingOptions {
  /** Why it was not sent; undefined while it is being sent. */
  error: string | undefined;
  profiles: string;
  language: Language;
  onRetry: () => void;
  onDiscard: () => void;
}

/** A message that is being sent, or could not be sent. */
export function outgoingTemplate(
  { text, createdAtMs }: OutgoingText,
  { error, profiles, language, onRetry, onDiscard }: OutgoingOptions,
): TemplateResult {
  const { texts, formats } = language;
  const isFailed = error !== undefined;
  return html`<li class=${classMap({ message: true, own: true, starts: true, ends: true, failed: isFailed })}>
    <div class="body">
      <div class="bubble own-bubble" part="bubble own-bubble">
        ${hidden(`${texts.you}: `)}
        <span class="text" dir="auto">${richText(text, profiles)}</span>
        <span class="meta">
          <time>${formats.time(new Date(createdAtMs))}</time>
          <span class=${isFailed ? 'failed-mark' : ''} role="img" aria-label=${isFailed ? texts.notSent : texts.sending}
            >${icon(isFailed ? 'alert' : 'clock', 16)}</span
          >
        </span>
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

/** A message's text: never markup, with its links. */
function richText(text: string, profiles: string): (string | TemplateResult)[] {
  return textParts(text, profiles).map((part) =>
    part.href === undefined
      ? part.text
      : // With a direction of its own, characters around it cannot reverse it.
        html`<a href=${part.href} dir="ltr" title=${part.href} target="_blank" rel="noopener noreferrer nofollow"
          >${part.text}</a
        >`,
  );
}

function hidden(text: string): TemplateResult {
  return html`<span class="visually-hidden">${text}</span>`;
}

function readMark(isRead: boolean, texts: Texts): TemplateResult {
  return html`<span class=${isRead ? 'read' : ''} role="img" aria-label=${isRead ? texts.read : texts.sent}
    >${icon(isRead ? 'checks' : 'check', 16)}</span
  >`;
}

function actionButton(name: IconName, label: string, onClick: () => void): TemplateResult {
  return html`<button class="icon-button" aria-label=${label} title=${label} @click=${onClick}>
    ${icon(name, 18)}
  </button>`;
}
