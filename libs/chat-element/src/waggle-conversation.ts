import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import './composer/waggle-composer';
import type { WaggleComposer } from './composer/waggle-composer';
import { otherAccount, titleOf, typingText } from './conversations/naming';
import type { LiveChat } from './client/live-chat';
import { defineElement } from './elements/define-element';
import { ActionElement } from './elements/action-element';
import './elements/waggle-confirm';
import type { WaggleConfirm } from './elements/waggle-confirm';
import type { ChatMessage, ConversationData } from './store/chat-data';
import { avatar, avatarStyles } from './theme/avatar';
import { icon } from './theme/icons';
import './messages/waggle-message-list';
import type { WaggleMessageList } from './messages/waggle-message-list';
import './messages/waggle-revisions';
import type { WaggleRevisions } from './messages/waggle-revisions';

/** The members of a channel that its data may contain. */
const maxListedMembers = 250;

/** What has the focus if the field for writing cannot have it. */
const titleOrNotice = '.title:enabled, .notice[tabindex], .button';

/**
 * One conversation: its header, messages and a field to write.
 *
 * @fires back-requested - the user leaves the conversation on a narrow screen
 * @fires details-requested - the user wants to see the members
 */
@defineElement('waggle-conversation')
export class WaggleConversation extends ActionElement {
  static override styles = [
    ...ActionElement.styles,
    avatarStyles,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr) auto auto;
        grid-template-columns: minmax(0, 1fr);
        height: 100%;
        min-height: 0;
        background: var(--_canvas);
        container-type: inline-size;
      }

      header {
        display: flex;
        align-items: center;
        gap: 8px;
        min-height: 64px;
        padding: 8px 16px;
        border-block-end: 1px solid var(--_border);
        background: var(--_surface);
      }

      .title {
        display: flex;
        align-items: center;
        gap: 12px;
        padding: 4px 8px;
        margin-inline: -8px;
        border-radius: 8px;
      }

      .title:hover {
        background: var(--_hover);
      }

      h2 {
        font-size: var(--_text-lg);
        line-height: 1.3;
      }

      .hint {
        display: grid;
        padding: 8px;
        margin-inline-end: -8px;
        border-radius: 50%;
        color: var(--_muted);
      }

      [aria-expanded='true'] .hint {
        background: var(--_selected);
        color: var(--_text);
      }

      .title .muted {
        display: block;
        line-height: 1.3;
      }

      .error {
        padding: 8px 16px;
        background: var(--_surface);
      }

      .notice {
        padding: 16px;
        border-block-start: 1px solid var(--_border);
        background: var(--_surface);
        text-align: center;
      }

      @media print {
        :host {
          display: block;
          height: auto;
        }

        waggle-composer {
          display: none;
        }
      }

      .back {
        display: none;
      }

      :host([can-go-back]) .back {
        display: inline-grid;
      }
    `,
  ];

  /** Id of the conversation. */
  @property() conversation = '';

  /** Shows a button to go back to the list. */
  @property({ type: Boolean, reflect: true, attribute: 'can-go-back' }) canGoBack = false;

  /** Whether the page shows the details of the conversation. */
  @property({ type: Boolean, reflect: true, attribute: 'shows-details' }) showsDetails = false;

  @query('waggle-message-list') private readonly list!: WaggleMessageList | null;
  @query('waggle-composer') private readonly composer!: WaggleComposer | null;

  @query('waggle-revisions') private readonly revisions!: WaggleRevisions;
  @query('waggle-confirm') private readonly confirmation!: WaggleConfirm;
  /** The conversation that was opened last, and its chat. */
  #opened: { id: string; live: LiveChat } | undefined;
  #isConnected = false;

  /** Puts the cursor into the field as soon as it is rendered. */
  override focus(): void {
    void this.updateComplete.then(() => this.composer?.focus());
  }

  /** Puts the focus on the title, or on the notice that there is nothing more to do. Screen readers then read it. */
  focusTitle(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(titleOrNotice)?.focus());
  }

  protected override restoreFocus(): void {
    if (this.isBusy) super.restoreFocus();
    else this.focusTitle();
  }

  protected override onAccountChange(): void {
    this.failure = undefined;
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const listed = this.data.conversations.get(this.conversation);
    const conversation = listed ?? this.data.former.get(this.conversation)?.conversation;
    if (conversation === undefined) {
      return html`<div class="empty" role="status" dir="auto">
        ${this.#notice()}
        <button
          class="button back"
          @click=${() => {
            this.emit('back-requested');
          }}
        >
          ${texts.back}
        </button>
      </div>`;
    }
    const isFormer = listed === undefined;
    const parts = html`${this.#header(conversation, isFormer)}
      <waggle-message-list
        .client=${this.usedClient}
        .conversation=${this.conversation}
        @reply-requested=${this.#onReply}
        @reaction-requested=${this.#onReact}
        @edit-requested=${this.#onEdit}
        @revisions-requested=${this.#onRevisions}
        @delete-requested=${this.#onDelete}
        exportparts="messages, bubble, own-bubble"
      ></waggle-message-list>
      <div>${this.errorAt('messages')}</div>
      ${
        isFormer
          ? html`<p class="notice" role="alert" tabindex="-1" dir="auto">${texts.formerNotice[conversation.type]}</p>`
          : conversation.blocked
            ? html`<p class="notice muted" dir="auto">${texts.blockedNotice}</p>`
            : html`<waggle-composer
                .client=${this.usedClient}
                .conversation=${this.conversation}
                exportparts="composer"
                @message-sent=${() => {
                  this.list?.removeLine();
                }}
              ></waggle-composer>`
      }
      <waggle-revisions .client=${this.usedClient}></waggle-revisions>
      <waggle-confirm .client=${this.usedClient}></waggle-confirm>`;
    return html`${keyed(this.data.account, parts)}`;
  }

  /** Why the conversation is not shown. */
  #notice(): TemplateResult | string {
    const { texts } = this.language;
    const { phase } = this.clientState;
    if (phase === 'signed-out') return texts.signInTitle;
    if (phase !== 'ready') return this.loadingText();
    if (this.isBusy) return texts.loading;
    const { failure } = this;
    if (failure === undefined || failure.code === 'not-found') return texts.noConversation;
    return html`${failure.text} <button class="button" @click=${this.#follow}>${texts.retry}</button>`;
  }

  protected override willUpdate(changed?: PropertyValues<this>): void {
    super.willUpdate();
    if (changed?.has('conversation') === true) this.failure = undefined;
  }

  protected override updated(): void {
    const { conversation: id, live } = this;
    const { phase, connection } = this.clientState;
    const isBack = connection === 'connected' && !this.#isConnected;
    this.#isConnected = connection === 'connected';
    if (phase !== 'ready' || live === undefined) return;
    if (isBack && this.failure !== undefined) this.#follow();
    if (this.#opened?.id === id && this.#opened.live === live) return;
    // Once for each opening: a conversation that is removed later stays removed.
    this.#opened = { id, live };
    this.#follow();
  }

  /** Follows the conversation if it is not listed: a channel, by its link. */
  #follow(): void {
    const { conversation: id, live } = this;
    if (live === undefined || this.data.conversations.has(id)) return;
    void this.attempt('conversation', async () => {
      try {
        await live.conversations.follow(id);
      } catch (error) {
        if (this.conversation === id) throw error;
      }
    });
  }

  #onReply(event: CustomEvent<ChatMessage>): void {
    event.stopPropagation();
    this.composer?.reply(event.detail);
  }

  async #onReact(event: CustomEvent<{ id: string; emoji: string; added: boolean }>): Promise<void> {
    event.stopPropagation();
    const { id, emoji, added } = event.detail;
    const chat = this.live?.chat;
    const change = async () => (added ? chat?.addReaction(id, emoji) : chat?.removeReaction(id, emoji));
    await this.attempt('messages', change, { texts: { 'too-large': this.language.texts.tooManyReactions } });
  }

  #onEdit(event: CustomEvent<ChatMessage>): void {
    event.stopPropagation();
    this.composer?.edit(event.detail);
  }

  #onRevisions(event: CustomEvent<{ id: string }>): void {
    event.stopPropagation();
    void this.revisions.open(event.detail.id);
  }

  async #onDelete(event: CustomEvent<{ id: string }>): Promise<void> {
    event.stopPropagation();
    const { texts } = this.language;
    const hint = texts.deleteMessageHint;
    if (!(await this.confirmation.ask(texts.deleteMessageQuestion, texts.delete, { hint }))) return;
    await this.attempt('messages', async () => this.live?.chat.deleteMessage(event.detail.id));
  }

  #header(conversation: ConversationData, isFormer: boolean): TemplateResult {
    const { language, data } = this;
    const { texts } = language;
    const title = titleOf(conversation, data.account, language);
    const other = otherAccount(conversation, data.account);
    const { avatars: pattern } = this.clientState.config;
    return html`<header part="header">
      <button
        class="icon-button back"
        part="back"
        aria-label=${texts.back}
        @click=${() => {
          this.emit('back-requested');
        }}
      >
        ${icon('back')}
      </button>
      <button
        class="title grow"
        aria-expanded=${this.showsDetails}
        ?disabled=${isFormer}
        @click=${() => {
          this.emit('details-requested');
        }}
      >
        ${avatar(conversation.type === 'dm' ? other : title, { pattern, kind: conversation.type })}
        <span class="grow">
          <h2 class="ellipsis"><bdi>${title}</bdi></h2>
          <span class="muted ellipsis" role="status">${this.#subtitle(conversation, other)}</span>
        </span>
        <span class="visually-hidden">${texts.details}</span>
        ${isFormer ? nothing : html`<span class="hint">${icon('info')}</span>`}
      </button>
    </header>`;
  }

  /** Who is typing; otherwise whether the other account is online, or the number of members. */
  #subtitle({ id, type, members }: ConversationData, other: string): string | typeof nothing {
    const { texts, formats } = this.language;
    const typing = typingText([...(this.data.typing.get(id)?.keys() ?? [])], this.language);
    if (typing !== undefined) return typing;
    if (type === 'dm') return this.data.online.has(other) ? texts.online : nothing;
    const count = texts.members(members.length, formats);
    // Of a large channel not all members are known.
    return type === 'channel' && members.length >= maxListedMembers ? count.replace(/\d+/, '$&+') : count;
  }
}
