import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Language } from '../i18n/texts';
import type { ChatMessage } from '../store/chat-data';
import type { MessageActions } from './message-actions';

/** The reactions to a message, each with the number of accounts. */
export function reactionsTemplate(
  { id, reactions = [] }: ChatMessage,
  react: MessageActions['react'],
  { texts, formats }: Language,
): TemplateResult | typeof nothing {
  if (reactions.length === 0) return nothing;
  return html`<div class="reactions" role="group" aria-label=${texts.reactions}>
    ${repeat(
      reactions,
      ({ emoji }) => emoji,
      ({ emoji, count, own }) =>
        html`<button
          class="reaction"
          aria-pressed=${own}
          ?disabled=${react === undefined}
          @click=${() => react?.(id, emoji, !own)}
        >
          <span>${emoji} ${formats.number(count)}</span>
        </button>`,
    )}
  </div>`;
}
