import type { Attachment, Chat } from '@waggle/client/browser';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import './composer/waggle-composer';
import type { WaggleComposer } from './composer/waggle-composer';
import { conversationStyles } from './conversation-styles';
import { ImageDrop } from './composer/image-drop';
import { otherAccount, titleOf, typingText } from './conversations/naming';
import type { LiveChat } from './client/live-chat';
import { defineElement } from './elements/define-element';
import { LazyElement } from './elements/lazy-element';
import { ActionElement } from './elements/action-element';
import './elements/waggle-menu';
import type { MenuItem } from './elements/waggle-menu';
import type { WaggleConfirm } from './elements/waggle-confirm';
import { lineOf } from './messages/quote';
import type { ChatMessage, ConversationData } from './store/chat-data';
import { avatar, avatarStyles } from './theme/avatar';
import { icon } from './theme/icons';
import { bubblesSkeleton, skeletonStyles } from './theme/skeleton';
import './messages/waggle-message-list';
import type { WaggleMessageList } from './messages/waggle-message-list';
import type { WaggleEmojiPicker } from './emoji/waggle-emoji-picker';
import type { WaggleLightbox } from './attachments/waggle-lightbox';
import type { WaggleRevisions } from './messages/waggle-revisions';

/** The members of a channel that its data may contain. */
const maxListedMembers = 250;

/** What gets the focus if there is no composer. */
const titleOrNotice = '.title:enabled, .notice[tabindex], .button';

/**
 * One conversation: its header, messages and a field to write.
 *
 * @fires back-requested - the user leaves the conversation on a narrow screen
 * @fires search-requested - the user wants to search the messages of the conversation
 * @fires details-requested - the user wants to see the members
 */
@defineElement('waggle-conversation')
export class WaggleConversation extends ActionElement {
  static override styles = [...ActionElement.styles, avatarStyles, skeletonStyles, conversationStyles];

  /** Id of the conversation. */
  @property() conversation = '';

  /** Shows a button to go back to the list. */
  @property({ type: Boolean, reflect: true, attribute: 'can-go-back' }) canGoBack = false;

  /** Shows a button to search the messages. */
  @property({ type: Boolean, attribute: 'can-search' }) canSearch = false;

  /** Whether the page shows the details of the conversation. */
  @property({ type: Boolean, reflect: true, attribute: 'shows-details' }) showsDetails = false;

  @query('waggle-message-list') private readonly list!: WaggleMessageList | null;
  @query('waggle-composer') private readonly composer!: WaggleComposer | null;

  /** Which pinned message the bar shows; 0 is the last pinned one. */
  @state() private pinIndex = 0;
  readonly #drop = new ImageDrop(this, () => this.composer);
  readonly #lightbox = new LazyElement<WaggleLightbox>(
    this,
    'waggle-lightbox',
    () => import('./attachments/waggle-lightbox'),
  );
  readonly #emojiPicker = new LazyElement<WaggleEmojiPicker>(
    this,
    'waggle-emoji-picker',
    () => import('./emoji/waggle-emoji-picker'),
  );
  readonly #revisions = new LazyElement<WaggleRevisions>(
    this,
    'waggle-revisions',
    () => import('./messages/waggle-revisions'),
  );
  readonly #confirmation = new LazyElement<WaggleConfirm>(
    this,
    'waggle-confirm',
    () => import('./elements/waggle-confirm'),
  );
  /** The last conversation that was opened, and its chat. */
  #opened: { id: string; live: LiveChat } | undefined;
  #isConnected = false;

  /** Puts the cursor into the field as soon as it is rendered. */
  override focus(): void {
    void this.updateComplete.then(() => this.composer?.focus());
  }

  /** Shows a message in its place in the history, and puts the focus on it. */
  showMessage(id: string): void {
    void this.updateComplete.then(() => {
      this.list?.showMessage(id);
    });
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
      const { phase, retryReason } = this.clientState;
      if (phase !== 'signed-out' && retryReason === undefined && (phase !== 'ready' || this.isBusy))
        return html`<div class="loading">${this.loading(bubblesSkeleton)}</div>`;
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
    const parts = html`<div>${this.#header(conversation, isFormer)} ${this.#pinnedBar()}</div>
      <waggle-message-list
        .client=${this.usedClient}
        .conversation=${this.conversation}
        @reply-requested=${this.#onReply}
        @reaction-requested=${this.#onReact}
        @emoji-requested=${this.#onEmojiForMessage}
        @edit-requested=${this.#onEdit}
        @revisions-requested=${this.#onRevisions}
        @image-requested=${this.#onImage}
        @pin-requested=${this.#onPin}
        @unread-requested=${this.#onUnread}
        @delete-requested=${this.#onDelete}
        exportparts="messages, bubble, own-bubble"
      ></waggle-message-list>
      <div>${this.errorAt('messages')}</div>
      ${this.#field(conversation, isFormer)}
      <waggle-revisions .client=${this.usedClient}></waggle-revisions>
      ${this.#drop.isTarget ? html`<div class="drop" role="status">${texts.dropImages}</div>` : nothing}
      <waggle-lightbox .client=${this.usedClient}></waggle-lightbox>
      <waggle-emoji-picker .client=${this.usedClient}></waggle-emoji-picker>
      <waggle-confirm .client=${this.usedClient}></waggle-confirm>`;
    return html`${keyed(this.data.account, parts)}`;
  }

  /** The field for writing, or why the account cannot write. */
  #field({ type, blocked }: ConversationData, isFormer: boolean): TemplateResult {
    const { texts } = this.language;
    if (isFormer) return html`<p class="notice" role="alert" tabindex="-1" dir="auto">${texts.formerNotice[type]}</p>`;
    if (blocked) return html`<p class="notice muted" dir="auto">${texts.blockedNotice}</p>`;
    return html`<waggle-composer
      .client=${this.usedClient}
      .conversation=${this.conversation}
      exportparts="composer"
      @emoji-requested=${this.#onEmojiForText}
      @message-sent=${() => {
        this.list?.removeDivider();
      }}
    ></waggle-composer>`;
  }

  /** Says why the conversation is not shown. */
  #notice(): TemplateResult | string {
    const { texts } = this.language;
    const { phase } = this.clientState;
    if (phase === 'signed-out') return texts.signInTitle;
    if (phase !== 'ready') return this.loadingText();
    const { failure } = this;
    if (failure === undefined || failure.code === 'not-found') return texts.noConversation;
    return html`${failure.text} <button class="button" @click=${this.#follow}>${texts.retry}</button>`;
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
          <span class="muted ellipsis" role="status" dir="auto">${this.#subtitle(conversation, other)}</span>
        </span>
        <span class="visually-hidden">${texts.details}</span>
        ${isFormer ? nothing : html`<span class="hint">${icon('info')}</span>`}
      </button>
      ${
        this.canSearch && !isFormer
          ? html`<button
              class="icon-button"
              aria-label=${texts.searchMessages}
              title=${texts.searchMessages}
              @click=${() => {
                this.emit('search-requested');
              }}
            >
              ${icon('search')}
            </button>`
          : nothing
      }
      ${isFormer || !conversation.members.includes(data.account) ? nothing : this.#menu(conversation)}
    </header>`;
  }

  #menu({ muted, favourite }: ConversationData): TemplateResult {
    const { texts } = this.language;
    const items: MenuItem[] = [
      { text: texts.mute, isChecked: muted, action: () => void this.#setPreferences({ muted: !muted }) },
      {
        text: texts.favourite,
        isChecked: favourite,
        action: () => void this.#setPreferences({ favourite: !favourite }),
      },
    ];
    return html`<waggle-menu label=${texts.moreActions} .items=${items}></waggle-menu>`;
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

  /** Shows the last pinned message. A click goes to it in the list, and shows the next one in the bar. */
  #pinnedBar(): TemplateResult | typeof nothing {
    const pins = this.data.pins.get(this.conversation) ?? [];
    const index = this.pinIndex % pins.length;
    const pin = pins[index];
    if (pin === undefined) return nothing;
    const { texts, formats } = this.language;
    const line = lineOf(pin.content, this.clientState.config.attachmentHosts, texts);
    const position = pins.length > 1 ? ` ${formats.number(index + 1)} / ${formats.number(pins.length)}` : '';
    return html`<button
      class="pinned"
      aria-label="${texts.pinnedMessage}${position}: ${line}"
      @click=${() => {
        this.pinIndex = index + 1;
        this.showMessage(pin.id);
      }}
    >
      ${icon('pin')}
      <span class="grow">
        <strong>${texts.pinnedMessage}${position}</strong>
        <span class="ellipsis muted" dir="auto">${line}</span>
      </span>
    </button>`;
  }

  protected override willUpdate(changed?: PropertyValues<this>): void {
    super.willUpdate();
    if (changed?.has('conversation') !== true) return;
    this.failure = undefined;
    this.pinIndex = 0;
  }

  protected override updated(): void {
    const { conversation: id, live } = this;
    const { phase, connection } = this.clientState;
    const isBack = connection === 'connected' && !this.#isConnected;
    this.#isConnected = connection === 'connected';
    if (phase !== 'ready' || live === undefined) return;
    live.opened.fetchMissing(id);
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
    await this.#react((chat) => (added ? chat.addReaction(id, emoji) : chat.removeReaction(id, emoji)));
  }

  async #onEmojiForMessage(event: CustomEvent<{ id: string }>): Promise<void> {
    event.stopPropagation();
    const emoji = await this.#chooseEmoji();
    if (emoji !== '') await this.#react((chat) => chat.addReaction(event.detail.id, emoji));
  }

  async #react(change: (chat: Chat) => Promise<unknown>): Promise<void> {
    const { live } = this;
    if (live === undefined) return;
    const texts = { 'too-large': this.language.texts.tooManyReactions };
    await this.attempt('messages', () => change(live.chat), { texts });
  }

  async #onEmojiForText(event: Event): Promise<void> {
    event.stopPropagation();
    this.composer?.insert(await this.#chooseEmoji());
  }

  /** Resolves with the emoji that the user has chosen; empty if none. */
  async #chooseEmoji(): Promise<string> {
    const isLoaded = await this.attempt('messages', () => this.#emojiPicker.load(this.language.texts));
    return (isLoaded ? await this.#emojiPicker.element?.choose() : undefined) ?? '';
  }

  #onEdit(event: CustomEvent<ChatMessage>): void {
    event.stopPropagation();
    this.composer?.edit(event.detail);
  }

  async #onImage(event: CustomEvent<{ images: readonly Attachment[]; first: Attachment }>): Promise<void> {
    event.stopPropagation();
    const { images, first } = event.detail;
    const isLoaded = await this.attempt('messages', () => this.#lightbox.load(this.language.texts));
    if (isLoaded) await this.#lightbox.element?.open(images, first);
  }

  async #onPin(event: CustomEvent<{ id: string; pinned: boolean }>): Promise<void> {
    event.stopPropagation();
    const { id, pinned } = event.detail;
    const chat = this.live?.chat;
    const change = async () => (pinned ? chat?.pinMessage(id) : chat?.unpinMessage(id));
    await this.attempt('messages', change, { texts: { 'too-large': this.language.texts.tooManyPins } });
  }

  async #onUnread(event: CustomEvent<{ id: string }>): Promise<void> {
    event.stopPropagation();
    const isDone = await this.attempt('messages', async () => this.live?.chat.markUnread(event.detail.id));
    if (!isDone) this.list?.resumeReading();
  }

  async #setPreferences(preferences: { muted?: boolean; favourite?: boolean }): Promise<void> {
    await this.attempt('messages', async () => this.live?.chat.setPreferences(this.conversation, preferences));
  }

  async #onRevisions(event: CustomEvent<{ id: string }>): Promise<void> {
    event.stopPropagation();
    const isLoaded = await this.attempt('messages', () => this.#revisions.load(this.language.texts));
    if (isLoaded) await this.#revisions.element?.open(event.detail.id);
  }

  async #onDelete(event: CustomEvent<{ id: string }>): Promise<void> {
    event.stopPropagation();
    const { texts } = this.language;
    const hint = texts.deleteMessageHint;
    if (!(await this.attempt('messages', () => this.#confirmation.load(texts)))) return;
    const { element } = this.#confirmation;
    if ((await element?.ask(texts.deleteMessageQuestion, texts.delete, { hint })) !== true) return;
    await this.attempt('messages', async () => this.live?.chat.deleteMessage(event.detail.id));
  }
}
