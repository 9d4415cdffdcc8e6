import type { Message } from '@waggle/client/browser';
import { css, html, nothing, type TemplateResult } from 'lit';
import { titleOf } from '../conversations/naming';
import type { Language } from '../i18n/texts';
import type { ChatData } from '../store/chat-data';
import { avatar } from '../theme/avatar';
import type { Part } from './snippet';

export const hitStyles = css`
  .hit {
    display: flex;
    align-items: start;
    gap: 12px;
    width: 100%;
    padding: var(--_pad) 8px;
    border-radius: 8px;
    text-align: start;
  }

  .hit:hover {
    background: var(--_hover);
  }

  .hit[aria-current='true'] {
    background: var(--_selected);
  }

  .hit:focus-visible {
    outline-offset: -2px;
  }

  @media (forced-colors: active) {
    .hit[aria-current='true'] {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }

  ul {
    margin-inline: -8px;
  }

  .line {
    display: flex;
    align-items: baseline;
    gap: 8px;
  }

  .name {
    font-weight: 600;
  }

  .place {
    font-size: var(--_text-sm);
  }

  .text {
    display: -webkit-box;
    -webkit-line-clamp: 3;
    -webkit-box-orient: vertical;
    overflow: hidden;
    overflow-wrap: anywhere;
    font-size: calc(0.875 * var(--_rem));
  }

  mark {
    border-radius: 2px;
    background: light-dark(#ffe48a, #6b5200);
    color: inherit;
  }
`;

interface HitOptions {
  data: ChatData;
  language: Language;
  /** The URL of avatars; `{account}` stands for the name. */
  avatars: string | undefined;
  isChosen: boolean;
  /** Whether to name the conversation. */
  isPlaceShown: boolean;
  onChoose: () => void;
}

/** A message in a list of messages of several conversations. @param parts of its text */
export function hitTemplate(
  { conversation_id, from, timestamp }: Pick<Message, 'conversation_id' | 'from' | 'timestamp'>,
  parts: readonly Part[],
  { data, language, avatars, isChosen, isPlaceShown, onChoose }: HitOptions,
): TemplateResult {
  const { formats } = language;
  const conversation = data.conversations.get(conversation_id);
  const date = new Date(timestamp);
  const place = conversation === undefined || !isPlaceShown ? '' : titleOf(conversation, data.account, language);
  return html`<button class="hit" aria-current=${isChosen} @click=${onChoose}>
    ${avatar(from, { pattern: avatars })}
    <span class="grow">
      <span class="line">
        <span class="name grow ellipsis"><bdi>${from}</bdi></span>
        <time class="muted" datetime=${timestamp} title=${formats.moment(date)}
          >${formats.brief(date, new Date())}</time
        >
      </span>
      ${place === '' || place === from ? nothing : html`<span class="place muted ellipsis"><bdi>${place}</bdi></span>`}
      <span class="text" dir="auto"
        >${parts.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : text))}</span
      >
    </span>
  </button>`;
}
