import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { defineElement } from '../elements/define-element';
import { conversationListStyles } from './conversation-list-styles';
import { copyText } from '../elements/copy-text';
import { isInputMethodKey, isUnusedEscape, useKey, verticalStep } from '../elements/page-keys';
import { glideFrom, placesOf } from '../elements/list-motion';
import { WaggleElement } from '../elements/waggle-element';
import type { ConversationData, OutgoingText } from '../store/chat-data';
import { avatar, avatarStyles } from '../theme/avatar';
import { previewOf } from '../text/preview';
import { icon, type IconName } from '../theme/icons';
import { entriesSkeleton, skeletonStyles } from '../theme/skeleton';
import { hasUnread } from '../store/conversation-changes';
import { sortedConversations } from '../store/conversation-order';
import { otherAccount, titleOf, typingText } from './naming';

/**
 * The conversations of the account, favourites first, then the most recently active.
 *
 * @fires conversation-selected - `detail.id` is the conversation that the user has chosen
 * @fires search-requested - `detail.text` is what the user wants to find in messages
 * @fires new-requested - the user wants to begin a conversation
 */
@defineElement('waggle-conversation-list')
export class WaggleConversationList extends WaggleElement {
  static override styles = [...WaggleElement.styles, avatarStyles, skeletonStyles, conversationListStyles];

  /** Id of the conversation that is shown as chosen. */
  @property() selected: string | undefined;

  /** Shows a button to begin a conversation if there are none. */
  @property({ type: Boolean, attribute: 'can-begin' }) canBegin = false;

  /** Shows a button to search messages for what is typed. */
  @property({ type: Boolean, attribute: 'can-search' }) canSearch = false;

  @state() private query = '';

  /** All conversations in the order of the list. */
  #sorted: readonly ConversationData[] = [];

  /** Puts the focus on the entry of a conversation; if it is not listed, on the search field. */
  focusEntry(id: string | undefined): void {
    void this.updateComplete.then(() => {
      const entry = this.renderRoot.querySelector<HTMLElement>(`[data-id="${CSS.escape(id ?? '')}"]`);
      (entry ?? this.renderRoot.querySelector<HTMLElement>('.search input'))?.focus();
    });
  }

  protected override onAccountChange(): void {
    this.query = '';
  }

  protected override update(changed: PropertyValues<this>): void {
    const previous = this.#sorted;
    this.#sorted = sortedConversations(this.data.conversations);
    const isMoved = this.#sorted.some(({ id }, index) => id !== previous[index]?.id);
    const places = isMoved ? placesOf(this.renderRoot.querySelectorAll('li')) : undefined;
    super.update(changed);
    if (places !== undefined) glideFrom(places);
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const query = this.query.trim().toLowerCase();
    const shown = this.#sorted.filter((conversation) => this.#isFound(conversation, query));
    return html`${
      this.#sorted.length === 0
        ? nothing
        : html`<div class="search">
            ${icon('search')}
            <input
              class="field"
              type="search"
              .value=${this.query}
              placeholder=${texts.search}
              aria-label=${texts.search}
              @input=${this.#onSearch}
              @keydown=${this.#onKey}
            />
          </div>`
    }
    ${this.canSearch && query !== '' ? this.#searchButton() : nothing} ${this.#unlisted()}
    ${
      shown.length === 0
        ? this.#empty(query)
        : html`<ul aria-label=${texts.conversations} @keydown=${this.#onKey}>
            ${repeat(
              shown,
              ({ id }) => id,
              (conversation) => html`<li>${this.#item(conversation)}</li>`,
            )}
          </ul>`
    }`;
  }

  #item(conversation: ConversationData): TemplateResult {
    const { language, data } = this;
    const { texts, formats } = language;
    const { id, type, lastMessage, muted, favourite } = conversation;
    const title = titleOf(conversation, data.account, language);
    const other = otherAccount(conversation, data.account);
    const isOnline = type === 'dm' && data.online.has(other);
    const pattern = this.clientState.config.avatars;
    return html`<button
      class=${hasUnread(conversation) && !muted ? 'item unread' : 'item'}
      part="conversation"
      type="button"
      data-id=${id}
      aria-current=${this.selected === id ? 'true' : 'false'}
      @click=${() => {
        this.emit('conversation-selected', { id });
      }}
    >
      ${avatar(type === 'dm' ? other : title, { pattern, isOnline, kind: type })}
      <span class="grow">
        <span class="line">
          <span class="name grow ellipsis"><bdi>${title}</bdi></span>
          ${favourite ? mark('star', texts.favourite) : nothing} ${muted ? mark('muted', texts.muted) : nothing}
          ${isOnline ? html`<span class="visually-hidden">${texts.online}</span>` : nothing}
          ${
            lastMessage === undefined
              ? nothing
              : html`<time class="muted" datetime=${lastMessage.timestamp}
                  >${formats.brief(new Date(lastMessage.timestamp), new Date())}</time
                >`
          }
        </span>
        <span class="line">
          <span class="preview muted grow ellipsis">${this.#preview(conversation)}</span>
          ${this.#badges(conversation)}
        </span>
      </span>
    </button>`;
  }

  #badges({ type, unreadCount, mentionCount, muted }: ConversationData): TemplateResult {
    const { texts, formats } = this.language;
    const mentions = texts.mentions(mentionCount, formats);
    return html`${
      // In a direct message every message is for the account.
      mentionCount > 0 && (type !== 'dm' || muted || unreadCount === 0)
        ? html`<span class="badge" role="img" aria-label=${mentions} title=${mentions}>@</span>`
        : nothing
    }
    ${
      unreadCount > 0
        ? html`<span class=${muted ? 'badge quiet' : 'badge'} aria-label=${texts.unread(unreadCount, formats)}
            >${formats.number(unreadCount)}</span
          >`
        : nothing
    }`;
  }

  #preview({ id, type, lastMessage }: ConversationData): string | TemplateResult {
    const { texts } = this.language;
    const typing = typingText([...(this.data.typing.get(id)?.keys() ?? [])], this.language);
    if (typing !== undefined) return typing;
    const outgoing = this.data.outgoing.findLast(({ conversationId, probableMessageId }) => {
      return conversationId === id && probableMessageId === undefined;
    });
    if (outgoing !== undefined) return html`<bdi>${texts.yourMessage(this.#lineOf(outgoing.text))}</bdi>`;
    if (lastMessage === undefined) return type === 'channel' ? texts.channel : texts.noMessages;
    const text = this.#lineOf(lastMessage.content);
    if (lastMessage.from === this.data.account) return html`<bdi>${texts.yourMessage(text)}</bdi>`;
    return html`<bdi>${type === 'dm' ? text : texts.namedMessage(lastMessage.from, text)}</bdi>`;
  }

  #lineOf(content: string): string {
    return previewOf(content, this.clientState.config.attachmentHosts, this.language.texts);
  }

  /** First messages of new conversations, and failed messages of conversations that the account left. */
  #unlisted(): TemplateResult | typeof nothing {
    const { outgoing, conversations } = this.data;
    const unlisted = outgoing.filter(({ conversationId, failure }) =>
      conversationId === undefined ? true : failure !== undefined && !conversations.has(conversationId),
    );
    if (unlisted.length === 0) return nothing;
    return html`<ul class="unlisted" aria-label=${this.language.texts.unsent}>
      ${repeat(
        unlisted,
        ({ clientId }) => clientId,
        (each) => this.#unlistedMessage(each),
      )}
    </ul>`;
  }

  #unlistedMessage({ clientId, recipients, text, failure }: OutgoingText): TemplateResult {
    const { texts } = this.language;
    const recipient = recipients.length === 1 ? recipients[0] : undefined;
    return html`<li>
      <div class="name ellipsis">${recipients.join(', ')}</div>
      <div class="preview muted ellipsis"><bdi>${this.#lineOf(text)}</bdi></div>
      ${
        failure === undefined
          ? html`<div class="muted">${texts.sending}</div>`
          : html`<div class="error" role="alert">${texts.notSent}: ${this.errorTextOf(failure, recipient)}</div>
              <div class="actions">
                <button class="button" @click=${() => this.live?.messages.retry(clientId)}>${texts.retrySend}</button>
                <button class="button" @click=${() => void copyText(text)}>${texts.copy}</button>
                <button class="button" @click=${() => this.live?.messages.discard(clientId)}>${texts.discard}</button>
              </div>`
      }
    </li>`;
  }

  #empty(query: string): TemplateResult {
    const { texts } = this.language;
    if (this.clientState.phase !== 'ready') return this.loading(entriesSkeleton);
    return query === ''
      ? html`<div class="empty">
          ${icon('chats', 40)}<strong>${texts.noConversations}</strong>
          <p dir="auto">${texts.noConversationsHint}</p>
          ${this.canBegin ? this.#newButton() : nothing}
          <slot name="begin"></slot>
        </div>`
      : html`<div class="empty" role="status">${texts.noMatches(this.query)}</div>`;
  }

  #searchButton(): TemplateResult {
    const text = this.query.trim();
    return html`<div class="search-messages">
      <button
        class="item"
        @keydown=${this.#onKey}
        @click=${() => {
          this.emit('search-requested', { text });
        }}
      >
        ${icon('search')} <span class="grow ellipsis"><bdi>${this.language.texts.searchFor(text)}</bdi></span>
      </button>
    </div>`;
  }

  #newButton(): TemplateResult {
    return html`<button
      class="button primary"
      part="begin"
      @click=${() => {
        this.emit('new-requested');
      }}
    >
      ${this.language.texts.newConversation}
    </button>`;
  }

  #isFound(conversation: ConversationData, query: string): boolean {
    if (query === '') return true;
    const title = titleOf(conversation, this.data.account, this.language).toLowerCase();
    return title.includes(query) || conversation.members.some((member) => member.includes(query));
  }

  #onSearch(event: Event): void {
    if (event.currentTarget instanceof HTMLInputElement) this.query = event.currentTarget.value;
  }

  /** Arrow keys move between the search field and the conversations. Escape ends the search. */
  #onKey(event: KeyboardEvent): void {
    if (this.query !== '' && isUnusedEscape(event)) {
      useKey(event);
      this.query = '';
      return;
    }
    const step = verticalStep(event);
    if (step === 0 || isInputMethodKey(event)) return;
    event.preventDefault();
    const stops = [...this.renderRoot.querySelectorAll<HTMLElement>('.search input, .item')];
    const index = stops.findIndex((stop) => stop === this.shadowRoot?.activeElement);
    stops[index + step]?.focus();
  }
}

function mark(name: IconName, text: string): TemplateResult {
  return html`<span class="mark" role="img" aria-label=${text} title=${text}>${icon(name, 16)}</span>`;
}
