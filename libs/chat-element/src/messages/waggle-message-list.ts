import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { attachmentStyles, isLoadable } from '../attachments/attachment-list';
import { permissionsIn } from '../conversations/permissions';
import { defineElement } from '../elements/define-element';
import { verticalStep } from '../elements/page-keys';
import type { WaggleMenu } from '../elements/waggle-menu';
import { WaggleElement } from '../elements/waggle-element';
import type { ChatMessage, ConversationData, OutgoingText } from '../store/chat-data';
import { firstOfOthers, hasOlder, isUnloaded, type MessageWindow } from '../store/message-window';
import { avatarStyles } from '../theme/avatar';
import { icon } from '../theme/icons';
import { bubblesSkeleton, skeletonStyles } from '../theme/skeleton';
import { spokenText } from '../text/preview';
import { Announcements } from './announcements';
import { keyOf, type MessageRow, messageRows } from './message-rows';
import { messageListStyles } from './message-list-styles';
import { beginningTemplate, separatorTemplate } from './message-list-templates';
import { messageStyles } from './message-styles';
import { messageTemplate, outgoingTemplate } from './message-templates';
import { hasUnread } from '../store/conversation-changes';
import { countsAsMention } from '../store/mentioned';
import type { MenuKind, MessageActions } from './message-actions';
import { Reading, type Shown } from './reading';
import { readersOf } from './readers';
import { ScrollPosition } from './scroll-position';
import { TouchGestures } from './touch-gestures';

/** How close to either end of the list the next page is loaded, in pixels: more than a screen. */
const loadPx = 1_200;

/** How long a message is highlighted after the list has scrolled to it. */
const highlightMs = 1_500;

/**
 * The messages of a conversation. Only a window of the history exists, in memory and on the page.
 *
 * @fires link-requested - the user opens a link, unless `preventDefault` is called. `detail` has its `href`, and the
 *   `account` or `community` that it mentions
 * @fires reply-requested - `detail` is the message that the user wants to reply to
 * @fires reaction-requested - `detail` has the `id` of the message, the `emoji`, and whether it is `added` or removed
 * @fires emoji-requested - `detail.id` is the message that the user wants to react to with any emoji
 * @fires image-requested - `detail` has the `images` of a message, and which is shown `first`
 * @fires edit-requested - `detail` is the own message that the user wants to edit
 * @fires revisions-requested - `detail.id` is the message whose former texts the user wants to see
 * @fires pin-requested - `detail` has the `id` of the message, and whether it is to be `pinned`
 * @fires unread-requested - `detail.id` is the message from which on the user wants to read again
 * @fires delete-requested - `detail.id` is the message that the user wants to delete
 */
@defineElement('waggle-message-list')
export class WaggleMessageList extends WaggleElement {
  static override styles = [
    ...WaggleElement.styles,
    avatarStyles,
    messageStyles,
    attachmentStyles,
    messageListStyles,
    skeletonStyles,
  ];

  /** Id of the conversation. */
  @property() conversation = '';

  /** The menu that was opened last, and its message. */
  @state() private openedMenu: { id: string; kind: MenuKind } | undefined;

  /** Whether the end is shown; otherwise there is a button that goes to it. */
  @state() private isAtEnd = true;

  /** Whether unread messages above the screen were skipped; then there is a bar that leads to them. */
  @state() private hasSkipped = false;

  @query('waggle-menu') private readonly menu!: WaggleMenu | null;
  @query('.scroller') private readonly scroller!: HTMLElement | null;

  readonly #position = new ScrollPosition(
    () => this.scroller,
    () => this.#messageWindow?.reachesEnd !== false,
  );
  readonly #resizes = new ResizeObserver(() => {
    if (this.#position.isAtEnd) this.#position.restore();
    this.#loadMore();
  });
  readonly #gestures = new TouchGestures({
    longPress: (id) => {
      this.#onOpenMenu(id, 'more');
    },
    swipe: (id) => {
      const message = this.#messageWindow === undefined ? undefined : find(this.#messageWindow, id);
      if (message !== undefined && !this.#isFormer && this.#openConversation?.blocked !== true) this.#onReply(message);
    },
  });
  /** Whether the history of the shown conversation was opened. */
  #isOpened = false;
  /** Whether its first page is loaded. */
  #isLoaded = false;
  #reading = new Reading();
  /** Whether to scroll to the divider above the unread messages. */
  #mustShowDivider = false;
  /** Whether the newest page is loading because the user wants to see the end. Scrolling the old page has no effect. */
  #isGoingToLatest = false;
  /** The message to show, and whether the page around it was requested. */
  #wanted: { id: string; isRequested: boolean } | undefined;
  #announcements = new Announcements();

  /** Shows a message in its place in the history, and loads that if it is not loaded. */
  showMessage(id: string): void {
    this.#wanted = { id, isRequested: false };
    this.requestUpdate();
  }

  /** Marks what is seen as read again: the message could not be marked as unread. */
  resumeReading(): void {
    this.#reading.resume();
    this.requestUpdate();
  }

  /** Removes the divider above the unread messages: a user who answers has read them. */
  removeDivider(): void {
    this.#reading.resume();
    this.#reading.dividerSeq = undefined;
    this.requestUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // The scroller exists already if the element was moved.
    this.#observeResizes();
    addEventListener('focus', this.#onFocus);
    document.addEventListener('visibilitychange', this.#onFocus);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('focus', this.#onFocus);
    document.removeEventListener('visibilitychange', this.#onFocus);
    this.#resizes.disconnect();
  }

  protected override firstUpdated(): void {
    this.#observeResizes();
  }

  protected override willUpdate(changed?: PropertyValues<this>): void {
    super.willUpdate();
    if (changed?.has('conversation') === true) {
      this.#announcements = new Announcements();
      this.#isOpened = false;
      this.#isLoaded = false;
      this.#reading = new Reading();
      this.#isGoingToLatest = false;
      this.#wanted = undefined;
      this.openedMenu = undefined;
    }
    this.#openHistory();
    this.#beginReading();
    this.#announcements.follow(this.#messageWindow, this.data.account);
  }

  protected override update(changed: PropertyValues<this>): void {
    this.#position.save();
    super.update(changed);
    this.#position.restore();
  }

  protected override updated(): void {
    const window = this.#messageWindow;
    if (window === undefined) return;
    if (window.loading !== 'latest') this.#isGoingToLatest = false;
    if (this.#mustShowDivider) this.#position.show('unread');
    this.#mustShowDivider = false;
    this.#showWanted(window);
    this.#onShownChange(window);
  }

  protected override render(): TemplateResult {
    const { texts, formats } = this.language;
    const { attachmentHosts } = this.clientState.config;
    const window = this.#messageWindow;
    const conversation =
      this.data.conversations.get(this.conversation) ?? this.data.former.get(this.conversation)?.conversation;
    const outgoing = this.data.outgoing.filter(
      ({ conversationId, probableMessageId }) =>
        conversationId === this.conversation && probableMessageId === undefined,
    );
    const unread = conversation?.unreadCount ?? 0;
    return html`${this.hasSkipped ? this.#skippedBar(unread) : nothing}
      <div
        class="scroller"
        part="messages"
        tabindex="0"
        role="region"
        aria-label=${texts.messages}
        @scroll=${this.#onScroll}
        @wheel=${this.#onUserScroll}
        @touchmove=${this.#onUserScroll}
        @focusin=${this.#onFocusIn}
        @mousedown=${this.#onMouseDown}
        @pointerdown=${this.#gestures.onDown}
        @pointermove=${this.#gestures.onMove}
        @pointerup=${this.#gestures.onUp}
        @pointercancel=${this.#gestures.onCancel}
        @contextmenu=${this.#gestures.onContextMenu}
        @click=${this.#onClick}
        @keydown=${this.#onKey}
      >
        <div class="column">
          ${this.#listStart(window, conversation, outgoing.length)}
          ${
            window === undefined || conversation === undefined
              ? nothing
              : html`<ol class=${conversation.type}>
                  ${repeat(
                    messageRows(window.messages, window.changes, this.#firstUnreadId(window)),
                    ({ key }) => key,
                    (row) =>
                      row.kind === 'message'
                        ? this.#message(row, conversation, window)
                        : separatorTemplate(row, this.language),
                  )}
                </ol>`
          }
          ${window?.failure === undefined || failsAtStart(window) ? nothing : this.#loadFailure(window.failure)}
          <ol>
            ${repeat(
              outgoing,
              ({ clientId }) => clientId,
              (each) => this.#outgoingMessage(each, window),
            )}
          </ol>
        </div>
      </div>
      <div class="visually-hidden" role="log" aria-live="polite">
        ${repeat(
          this.#announcements.messages,
          ({ id }) => id,
          ({ from, content }) => html`<p>${texts.namedMessage(from, spokenText(content, attachmentHosts, texts))}</p>`,
        )}
      </div>
      ${
        this.isAtEnd
          ? nothing
          : html`<div class="bar below">
              <button class="button to-latest" @click=${this.#goToLatest}>
                ${icon('down')} ${texts.toLatest}
                ${unread > 0 && !this.hasSkipped ? html`<span class="badge">${formats.number(unread)}</span>` : nothing}
              </button>
            </div>`
      }`;
  }

  /** Opens the history when the conversation is shown, and again if its window was dropped since. */
  #openHistory(): void {
    // A conversation that this account has just joined is not fetched yet.
    if (this.clientState.phase !== 'ready' || (this.#openConversation?.fetchedSeq ?? -1) < 0) return;
    if (this.#isOpened && this.#messageWindow !== undefined) return;
    this.#isOpened = true;
    void this.live?.history.open(this.conversation);
  }

  /** When the first page has been loaded, shows what is unread. */
  #beginReading(): void {
    const window = this.#messageWindow;
    const wasLoaded = this.#isLoaded;
    this.#isLoaded = window !== undefined && !isUnloaded(window);
    if (!this.#isLoaded) this.#position.isAtEnd = true;
    else if (!wasLoaded) this.#moveDivider();
  }

  /** Moves the divider above the first unread message, and scrolls to it. */
  #moveDivider(): void {
    if (this.#openConversation !== undefined) this.#reading.begin(this.#openConversation);
    this.#mustShowDivider = true;
  }

  #firstUnreadId(window: MessageWindow): string | undefined {
    const { dividerSeq } = this.#reading;
    return dividerSeq === undefined ? undefined : firstOfOthers(window, dividerSeq, this.data.account)?.id;
  }

  #observeResizes(): void {
    if (this.scroller !== null) this.#resizes.observe(this.scroller);
  }

  /** The conversation, if the account knows it. */
  get #openConversation(): ConversationData | undefined {
    return this.data.conversations.get(this.conversation);
  }

  /** Whether the account is no longer in the conversation: it can only read what is loaded. */
  get #isFormer(): boolean {
    return this.data.former.has(this.conversation);
  }

  get #messageWindow(): MessageWindow | undefined {
    return this.data.windows.get(this.conversation) ?? this.data.former.get(this.conversation)?.window;
  }

  /** What is above the messages. Its height is the same until the first message is loaded, so that nothing moves. */
  #listStart(
    window: MessageWindow | undefined,
    conversation: ConversationData | undefined,
    outgoingCount: number,
  ): TemplateResult | typeof nothing {
    const { texts } = this.language;
    if (window?.failure !== undefined && failsAtStart(window)) return this.#loadFailure(window.failure);
    if (window === undefined || (window.loading !== undefined && window.messages.length === 0)) {
      return html`<div class="edge" role="status"><span class="visually-hidden">${texts.loading}</span></div>
        ${outgoingCount === 0 ? bubblesSkeleton : nothing}`;
    }
    if (hasOlder(window))
      return html`<div class="edge muted" dir="auto">${this.#isFormer ? nothing : texts.loadingOlder}</div>`;
    return conversation === undefined
      ? nothing
      : beginningTemplate(conversation, {
          account: this.data.account,
          isEmpty: window.messages.length + outgoingCount === 0,
          avatars: this.clientState.config.avatars,
          language: this.language,
        });
  }

  #loadFailure({ code }: NonNullable<MessageWindow['failure']>): TemplateResult {
    const { texts } = this.language;
    return html`<div class="edge" role="alert" dir="auto">
      <span>
        ${texts.errorLoading} ${this.errorTextOf(code)}
        <button class="button" @click=${this.#retry}>${texts.retry}</button>
      </span>
    </div>`;
  }

  /** Renders a message only if it changed: in a busy conversation most rows stay the same. */
  #message(row: MessageRow, conversation: ConversationData, window: MessageWindow): unknown {
    const { message, startsGroup, endsGroup } = row;
    const { language } = this;
    const { account } = this.data;
    const { avatars, profiles, attachmentHosts } = this.clientState.config;
    const isOwn = message.from === account;
    const readers = isOwn ? readersOf(message, conversation, this.data) : [];
    const isPinned = this.data.pins.get(conversation.id)?.some(({ id }) => id === message.id) === true;
    const isQuoteLoaded = message.reply_to !== undefined && find(window, message.reply_to.id) !== undefined;
    const menu = message.id === this.openedMenu?.id ? this.openedMenu.kind : undefined;
    const actions = this.#actionsFor(message, conversation);
    const handlers: readonly unknown[] = Object.values(actions);
    const shown = [message, startsGroup, endsGroup, readers.join(), isPinned, isQuoteLoaded, menu];
    return guard([...shown, ...handlers, language, avatars, profiles, attachmentHosts], () =>
      messageTemplate(row, {
        account,
        isOwn,
        isDm: conversation.type === 'dm',
        readers,
        isMention: countsAsMention(message, this.data, conversation),
        isPinned,
        avatars,
        profiles,
        hosts: attachmentHosts,
        language,
        onShowImage: (first) => {
          const images = (message.attachments ?? []).filter((each) => isLoadable(each, attachmentHosts));
          this.emit('image-requested', { images, first });
        },
        onShow: isQuoteLoaded ? this.#onShow : undefined,
        onShowFormer: this.#onShowFormer,
        menu,
        actions,
      }),
    );
  }

  #actionsFor(message: ChatMessage, conversation: ConversationData): MessageActions {
    const { account } = this.data;
    const isOwn = message.from === account;
    const isFormer = this.#isFormer;
    const permissions = permissionsIn(conversation, account);
    const canWrite = !isFormer && !conversation.blocked;
    const canDelete = !isFormer && (isOwn || permissions.canDeleteAll);
    const canMarkUnread = !isFormer && !isOwn && conversation.members.includes(account);
    return {
      openMenu: this.#onOpenMenu,
      react: canWrite ? this.#onReact : undefined,
      reactWithAny: this.#onReactWithAny,
      reply: canWrite ? this.#onReply : undefined,
      edit: canWrite && isOwn ? this.#onEdit : undefined,
      pin: canWrite && permissions.canPin ? this.#onPin : undefined,
      markUnread: canMarkUnread ? this.#onMarkUnread : undefined,
      delete: canDelete ? this.#onDelete : undefined,
    };
  }

  /** The message that had the focus was deleted. */
  protected override restoreFocus(): void {
    this.scroller?.focus();
  }

  readonly #onReply = (message: ChatMessage): void => {
    this.emit('reply-requested', message);
  };

  readonly #onReact = (id: string, emoji: string, added: boolean): void => {
    this.emit('reaction-requested', { id, emoji, added });
  };

  readonly #onReactWithAny = (id: string): void => {
    this.emit('emoji-requested', { id });
  };

  readonly #onPin = (id: string, pinned: boolean): void => {
    this.emit('pin-requested', { id, pinned });
  };

  readonly #onMarkUnread = (message: ChatMessage): void => {
    this.#reading.pauseBefore(message);
    this.requestUpdate();
    this.emit('unread-requested', { id: message.id });
  };

  readonly #onOpenMenu = (id: string, kind: MenuKind): void => {
    // The button is replaced by the menu, and the actions are shown while the message has the focus.
    this.#rowOf(id)?.focus();
    this.openedMenu = { id, kind };
    void this.updateComplete.then(() => this.menu?.open());
  };

  readonly #onEdit = (message: ChatMessage): void => {
    this.emit('edit-requested', message);
  };

  readonly #onShowFormer = (id: string): void => {
    this.emit('revisions-requested', { id });
  };

  /** Scrolls to a message and highlights it for a moment. */
  readonly #onShow = (id: string): void => {
    const row = this.#rowOf(id);
    if (!this.#position.isShown(id)) this.#position.show(id);
    row?.focus({ preventScroll: true });
    row?.animate({ background: ['var(--_selected)', 'transparent'] }, { duration: highlightMs, easing: 'ease-in' });
  };

  #showWanted(window: MessageWindow): void {
    const wanted = this.#wanted;
    if (wanted === undefined) return;
    if (find(window, wanted.id) !== undefined) {
      this.#wanted = undefined;
      this.#onShow(wanted.id);
    } else if (!wanted.isRequested) {
      wanted.isRequested = true;
      void this.live?.history.around(this.conversation, wanted.id);
      // It does not exist anymore, or the page failed to load.
    } else if (window.loading === undefined) this.#wanted = undefined;
  }

  #rowOf(id: string): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(`[data-key="${CSS.escape(id)}"]`);
  }

  readonly #onDelete = (id: string): void => {
    // When the dialog closes it returns the focus to the message, since the button is hidden by then.
    this.#rowOf(id)?.focus();
    this.emit('delete-requested', { id });
  };

  /** The actions of the last message may appear below it. */
  #onFocusIn(): void {
    if (this.#position.isAtEnd) this.#position.restore();
  }

  /**
   * Keeps the focus where it is when a button in a message is pressed: with the focus, the actions may appear below the
   * message, and the button would move away before it is released.
   */
  #onMouseDown(event: MouseEvent): void {
    if (event.target instanceof Element && event.target.closest('.quote, .edited, .reaction') !== null)
      event.preventDefault();
  }

  #onClick(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    // With a key, the user asks the browser for a tab or a window.
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const { account, community } = link.dataset;
    const detail = { href: link.href, account, community };
    const request = new CustomEvent('link-requested', { detail, bubbles: true, composed: true, cancelable: true });
    if (!this.dispatchEvent(request)) event.preventDefault();
  }

  #outgoingMessage(outgoing: OutgoingText, window: MessageWindow | undefined): TemplateResult {
    const { clientId, replyTo, failure } = outgoing;
    return outgoingTemplate(outgoing, {
      quote: replyTo === undefined || window === undefined ? undefined : find(window, replyTo),
      error: failure === undefined ? undefined : this.errorTextOf(failure),
      profiles: this.clientState.config.profiles,
      hosts: this.clientState.config.attachmentHosts,
      language: this.language,
      onRetry: () => this.live?.messages.retry(clientId),
      onDiscard: () => this.live?.messages.discard(clientId),
    });
  }

  /** When the user returns to the page, shows what arrived meanwhile from its beginning. */
  readonly #onFocus = (): void => {
    if (!hasAttention() || !this.#isLoaded) return;
    this.#moveDivider();
    // Otherwise the user reads older messages.
    this.#mustShowDivider = this.#position.isAtEnd;
    this.requestUpdate();
  };

  #onScroll(): void {
    if (!this.#isGoingToLatest) this.#position.onScroll();
    const window = this.#messageWindow;
    if (window !== undefined) this.#onShownChange(window);
  }

  /** Called when the user scrolls; the list also scrolls when it follows new messages. */
  #onUserScroll(): void {
    // If all messages are on the screen, there is no event `scroll`.
    if (this.#reading.onUserScroll()) this.requestUpdate();
  }

  /** Called when other messages may be on the screen than before. */
  #onShownChange(window: MessageWindow): void {
    this.isAtEnd = this.#position.isAtEnd && window.reachesEnd;
    this.#loadMore();
    this.#markShownAsRead(window);
  }

  #loadMore(): void {
    const window = this.#messageWindow;
    const { live } = this;
    if (window === undefined || live === undefined || !this.#isLoaded) return;
    if (window.loading !== undefined || window.failure !== undefined) return;
    if (!window.reachesEnd && this.#position.belowPx < loadPx) void live.history.newer(this.conversation);
    else if (hasOlder(window) && this.#position.abovePx < loadPx) void live.history.older(this.conversation);
  }

  /** Marks the messages on the screen as read, unless unread ones before them were skipped. */
  #markShownAsRead(window: MessageWindow): void {
    const conversation = this.#openConversation;
    const { live } = this;
    if (conversation !== undefined) this.#reading.follow(conversation);
    const shown =
      conversation === undefined || !hasUnread(conversation) ? undefined : this.#shownSeqs(window, conversation);
    if (conversation === undefined || live === undefined || shown === undefined) {
      this.hasSkipped = false;
      return;
    }
    this.hasSkipped = this.#reading.hasSkipped(conversation, window, shown, this.data.account);
    if (!this.hasSkipped && hasAttention()) this.#reading.markRead(conversation, shown, live.messages);
  }

  /** Returns undefined if no message is on the screen. */
  #shownSeqs({ messages, changes }: MessageWindow, { lastSeq }: ConversationData): Shown | undefined {
    const { first, last } = this.#position.shown;
    const seqOf = (key: string | undefined) => [...messages, ...changes].find((row) => keyOf(row) === key)?.seq;
    const firstSeq = seqOf(first);
    if (firstSeq === undefined) return undefined;
    // An edit can add a mention, which comes after the messages.
    return { firstSeq, lastSeq: (this.isAtEnd ? lastSeq : seqOf(last)) ?? -1 };
  }

  /** A bar above the messages: leads to the unread messages that were skipped, or marks them as read. */
  #skippedBar(unread: number): TemplateResult {
    const { texts, formats } = this.language;
    return html`<div class="bar">
      <button class="button" @click=${this.#goToUnread}>${icon('up')} ${texts.unread(unread, formats)}</button>
      <button class="button" @click=${this.#markAllAsRead}>${texts.markAsRead}</button>
    </div>`;
  }

  #goToUnread(): void {
    void this.live?.history.open(this.conversation);
    this.#moveDivider();
    this.scroller?.focus();
    this.requestUpdate();
  }

  #markAllAsRead(): void {
    if (this.#openConversation !== undefined)
      this.live?.messages.acknowledge(this.conversation, this.#openConversation.lastSeq);
    this.scroller?.focus();
  }

  #retry(): void {
    this.#isGoingToLatest = this.#messageWindow?.failure?.load === 'latest';
    void this.live?.history.retry(this.conversation);
  }

  #goToLatest(): void {
    this.#reading.resume();
    const window = this.#messageWindow;
    this.#position.isAtEnd = true;
    if (window?.reachesEnd === false && this.live !== undefined) {
      this.#isGoingToLatest = true;
      void this.live.history.latest(this.conversation);
    } else this.#position.restore();
    this.scroller?.focus();
  }

  /**
   * Enter on the list itself goes to the newest message. Once a message has the focus, the arrow keys move between
   * messages.
   */
  #onKey(event: KeyboardEvent): void {
    this.#onUserScroll();
    const rows = [...this.renderRoot.querySelectorAll<HTMLElement>('.message[data-key]')];
    const active = this.shadowRoot?.activeElement?.closest<HTMLElement>('.message[data-key]');
    const isOnList = event.target === this.scroller;
    const step = verticalStep(event);
    const isMove = step !== 0 && active !== null && active !== undefined;
    if (!isMove && !(isOnList && event.key === 'Enter')) return;
    event.preventDefault();
    (isMove ? rows[rows.indexOf(active) + step] : rows.at(-1))?.focus();
  }
}

function find({ messages }: MessageWindow, id: string): ChatMessage | undefined {
  return messages.find((message) => message.id === id);
}

/** Whether the messages that could not be loaded belong above those that are shown, and not below them. */
function failsAtStart({ failure, messages }: MessageWindow): boolean {
  return failure?.load === 'older' || messages.length === 0;
}

/** Whether the page has the user's attention. */
function hasAttention(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}
