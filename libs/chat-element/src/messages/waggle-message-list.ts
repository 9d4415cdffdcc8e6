import type { ConversationChange } from '@waggle/client/browser';
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { otherAccount, titleOf } from '../conversations/naming';
import { permissionsIn } from '../conversations/permissions';
import { defineElement } from '../elements/define-element';
import type { WaggleMenu } from '../elements/waggle-menu';
import { WaggleElement } from '../elements/waggle-element';
import type { ChatMessage, ConversationData, OutgoingText } from '../store/chat-data';
import { firstOfOthers, hasOlder, isUnloaded, type MessageWindow } from '../store/message-window';
import { avatar, avatarStyles } from '../theme/avatar';
import { icon } from '../theme/icons';
import { keyOf, type MessageRow, messageRows, type Row } from './message-rows';
import { messageStyles } from './message-styles';
import { messageTemplate, outgoingTemplate } from './message-templates';
import { Reading, type Shown } from './reading';
import { ScrollPosition } from './scroll-position';

/** How close to either end of the list the next page is loaded, in pixels: more than a screen. */
const loadPx = 1_200;

/** How long a message is marked that was scrolled to. */
const markMs = 1_500;

/** Messages that screen readers are given at once: more could not be read out in time. */
const maxAnnounced = 20;

/**
 * The messages of a conversation. Only a window of the history exists, in memory and on the page.
 *
 * @fires reply-requested - `detail` is the message that the user wants to reply to
 * @fires reaction-requested - `detail` has the `id` of the message, the `emoji`, and whether it is `added` or removed
 * @fires edit-requested - `detail` is the own message that the user wants to edit
 * @fires revisions-requested - `detail.id` is the message whose former texts the user wants to see
 * @fires delete-requested - `detail.id` is the message that the user wants to delete
 */
@defineElement('waggle-message-list')
export class WaggleMessageList extends WaggleElement {
  static override styles = [
    ...WaggleElement.styles,
    avatarStyles,
    messageStyles,
    css`
      :host {
        position: relative;
        display: grid;
        grid-template-rows: auto minmax(0, 1fr) auto;
        grid-template-columns: minmax(0, 1fr);
        min-height: 0;
        background: var(--_canvas);
      }

      /* Beside the messages: over them it would hide text. */
      .bar {
        display: flex;
        flex-wrap: wrap;
        justify-content: center;
        gap: 4px 8px;
        padding: 4px 16px;
        border-block: 1px solid var(--_border);
        background: var(--_raised);
      }

      .bar.below {
        grid-row: 3;
      }

      .bar .button {
        min-height: 32px;
        padding: 4px 12px;
        font-size: var(--_text-sm);
      }

      .scroller {
        grid-row: 2;
        overflow-x: hidden;
        overflow-y: scroll;
        overscroll-behavior: contain;
        /* ScrollPosition keeps the rows in place, in all browsers alike. */
        overflow-anchor: none;
      }

      @media print {
        .scroller {
          height: auto;
          overflow: visible;
        }

        .bar {
          display: none;
        }
      }

      .scroller:focus-visible {
        outline-offset: -2px;
      }

      .column {
        display: flex;
        flex-direction: column;
        justify-content: flex-end;
        min-height: 100%;
        max-width: 860px;
        margin-inline: auto;
        padding: 0 16px 8px;
      }

      .edge {
        display: grid;
        place-items: center;
        min-height: 48px;
        padding: 8px;
        text-align: center;
      }

      .beginning {
        padding-block: 32px 16px;
      }

      .beginning .avatar {
        margin-block-end: 8px;
      }

      .beginning strong {
        max-width: 100%;
        contain: paint;
        font-size: var(--_text-lg);
        overflow-wrap: anywhere;
      }

      .day {
        width: fit-content;
        margin: 16px auto 8px;
        padding: 2px 12px;
        border-radius: 12px;
        background: light-dark(
          color-mix(in srgb, var(--_canvas) 92%, var(--_text)),
          color-mix(in srgb, var(--_canvas) 80%, var(--_text))
        );
        font-size: var(--_text-sm);
        font-weight: 600;
      }

      .change {
        padding-block: 12px 4px;
        color: var(--_muted);
        font-size: var(--_text-sm);
        text-align: center;
        overflow-wrap: anywhere;
      }

      .change time {
        margin-inline-start: 4px;
        font-size: var(--_text-xs);
        white-space: nowrap;
      }

      .unread {
        display: flex;
        align-items: center;
        gap: 8px;
        margin-block: 16px 8px;
        color: var(--_accent-text);
        font-size: var(--_text-sm);
        font-weight: 600;
      }

      .unread::before,
      .unread::after {
        content: '';
        flex: 1;
        border-block-start: 1px solid currentColor;
        opacity: 0.5;
      }
    `,
  ];

  /** Id of the conversation. */
  @property() conversation = '';

  /** New messages, for screen readers. */
  @state() private announced: readonly ChatMessage[] = [];

  /** Id of the message whose menu of emoji was opened last. */
  @state() private reactingId: string | undefined;

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
    if (this.#position.isAtEnd) this.#position.after();
    this.#loadMore();
  });
  /** Whether the history of the shown conversation was opened. */
  #isOpened = false;
  /** Whether its first page is loaded. */
  #isLoaded = false;
  #reading = new Reading();
  /** Whether to scroll to the line of new messages. */
  #mustShowLine = false;
  /**
   * Whether the newest page is loading because the user wants to see the end: where the old page is scrolled to is of
   * no interest.
   */
  #isGoingToLatest = false;
  /**
   * Sequence number of the newest message of others so far, to recognize newer ones. Undefined until the first page is
   * loaded.
   */
  #newestSeq: number | undefined;

  /** Removes the line of new messages: who writes an answer has read them. */
  removeLine(): void {
    this.#reading.lineSeq = undefined;
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
      this.announced = [];
      this.#newestSeq = undefined;
      this.#isOpened = false;
      this.#isLoaded = false;
      this.#reading = new Reading();
      this.#isGoingToLatest = false;
      this.reactingId = undefined;
    }
    this.#openHistory();
    this.#beginReading();
    this.#announce();
  }

  protected override update(changed: PropertyValues<this>): void {
    this.#position.before();
    super.update(changed);
    this.#position.after();
  }

  protected override updated(): void {
    const window = this.#messageWindow;
    if (window === undefined) return;
    if (window.loading !== 'latest') this.#isGoingToLatest = false;
    if (this.#mustShowLine) this.#position.show('unread');
    this.#mustShowLine = false;
    this.#onMoved(window);
  }

  protected override render(): TemplateResult {
    const { texts, formats } = this.language;
    const window = this.#messageWindow;
    const conversation =
      this.data.conversations.get(this.conversation) ?? this.data.former.get(this.conversation)?.conversation;
    const outgoing = this.data.outgoing.filter(
      ({ conversationId, probableMessageId }) =>
        conversationId === this.conversation && probableMessageId === undefined,
    );
    const unread = conversation?.unreadCount ?? 0;
    return html`${this.hasSkipped ? this.#skipped(unread) : nothing}
      <div
        class="scroller"
        part="messages"
        tabindex="0"
        role="region"
        aria-label=${texts.messages}
        @scroll=${this.#onScroll}
        @focusin=${this.#onFocusIn}
        @mousedown=${this.#onMouseDown}
        @keydown=${this.#onKey}
      >
        <div class="column">
          ${this.#edge(window, conversation, outgoing.length)}
          ${
            window === undefined || conversation === undefined
              ? nothing
              : html`<ol class=${conversation.type}>
                  ${repeat(
                    messageRows(window.messages, window.changes, this.#firstUnreadId(window)),
                    ({ key }) => key,
                    (row) => this.#row(row, conversation, window),
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
          this.announced,
          ({ id }) => id,
          ({ from, content }) => html`<p>${texts.namedMessage(from, content)}</p>`,
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

  /** Notes when the first page is there, and what is unread then. */
  #beginReading(): void {
    const window = this.#messageWindow;
    const wasLoaded = this.#isLoaded;
    this.#isLoaded = window !== undefined && !isUnloaded(window);
    if (!this.#isLoaded) this.#position.isAtEnd = true;
    else if (!wasLoaded) this.#returnToLine();
  }

  /** Moves the line of new messages to the first unread message, and shows it. */
  #returnToLine(): void {
    if (this.#openConversation !== undefined) this.#reading.begin(this.#openConversation);
    this.#mustShowLine = true;
  }

  #firstUnreadId(window: MessageWindow): string | undefined {
    const { lineSeq } = this.#reading;
    return lineSeq === undefined ? undefined : firstOfOthers(window, lineSeq, this.data.account)?.id;
  }

  /** Announces new messages of others to screen readers, but not messages of pages. */
  #announce(): void {
    const window = this.#messageWindow;
    if (window === undefined || isUnloaded(window) || !window.reachesEnd) {
      this.#newestSeq = undefined;
      return;
    }
    const known = this.#newestSeq;
    const ofOthers = window.messages.filter(({ from }) => from !== this.data.account);
    const added = known === undefined ? [] : ofOthers.filter(({ seq }) => seq > known);
    if (added.length > 0) this.announced = [...this.announced, ...added].slice(-maxAnnounced);
    this.#newestSeq = Math.max(known ?? 0, ofOthers.at(-1)?.seq ?? 0);
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

  /** What is above the first message. Its height is the same until the first message is loaded: nothing moves. */
  #edge(
    window: MessageWindow | undefined,
    conversation: ConversationData | undefined,
    outgoingCount: number,
  ): TemplateResult | typeof nothing {
    const { texts } = this.language;
    if (window?.failure !== undefined && failsAtStart(window)) return this.#loadFailure(window.failure);
    if (window === undefined || (window.loading !== undefined && window.messages.length === 0)) {
      return html`<div class="edge muted" role="status" dir="auto">${texts.loading}</div>`;
    }
    if (hasOlder(window))
      return html`<div class="edge muted" dir="auto">${this.#isFormer ? nothing : texts.loadingOlder}</div>`;
    return this.#beginning(conversation, window.messages.length + outgoingCount === 0);
  }

  /** Whose conversation begins here. */
  #beginning(conversation: ConversationData | undefined, isEmpty: boolean): TemplateResult | typeof nothing {
    if (conversation === undefined) return nothing;
    const { texts } = this.language;
    const { account } = this.data;
    const { type } = conversation;
    const title = titleOf(conversation, account, this.language);
    const name = type === 'dm' ? otherAccount(conversation, account) : title;
    return html`<div class="empty beginning">
      ${avatar(name, { size: 'large', kind: type, pattern: this.clientState.config.avatars })}
      <strong><bdi>${title}</bdi></strong>
      <p dir="auto">${isEmpty ? `${texts.noMessages}. ${texts.noMessagesHint}` : texts.historyStart}</p>
    </div>`;
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

  #row(row: Row, conversation: ConversationData, window: MessageWindow): unknown {
    const { texts, formats } = this.language;
    if (row.kind === 'message') return this.#guarded(row, conversation, window);
    if (row.kind === 'unread') {
      return html`<li class="unread" data-key=${row.key}>${texts.unreadDivider}</li>`;
    }
    if (row.kind === 'change')
      return html`<li class="change" data-key=${row.key} dir="auto">${this.#change(row.change)}</li>`;
    const text = formats.dayHeading(row.date, new Date(), texts);
    return html`<li class="day" data-key=${row.key}>${text}</li>`;
  }

  #change({ type, by, username, name, timestamp }: ConversationChange): TemplateResult {
    const { texts, formats } = this.language;
    const date = new Date(timestamp);
    // Isolated, since a name may have another direction than the text.
    const what = username ?? `\u2068${name ?? ''}\u2069`;
    // A newer service has types that this version does not know.
    const text = Object.hasOwn(texts.conversationChanges, type) ? texts.conversationChanges[type](by, what) : '';
    return html`${text} <time datetime=${timestamp} title=${formats.moment(date)}>${formats.time(date)}</time>`;
  }

  /** Renders a message only if it changed: in a busy conversation most rows stay the same. */
  #guarded(row: MessageRow, conversation: ConversationData, window: MessageWindow): unknown {
    const { message } = row;
    const { type, receiptSeq } = conversation;
    const { account } = this.data;
    const isOwn = message.from === account;
    const isDm = type === 'dm';
    const isRead = isOwn && isDm && (message.read || message.seq <= receiptSeq);
    const canDelete = !this.#isFormer && (isOwn || permissionsIn(conversation, account).canDeleteAll);
    const canWrite = !this.#isFormer && !conversation.blocked;
    const isQuoteLoaded = message.reply_to !== undefined && find(window, message.reply_to.id) !== undefined;
    const { language } = this;
    const { avatars, profiles } = this.clientState.config;
    const { startsGroup, endsGroup } = row;
    const isReacting = message.id === this.reactingId;
    const shown = [message, startsGroup, endsGroup, isRead, canDelete, canWrite, isQuoteLoaded, isReacting];
    return guard([...shown, language, avatars, profiles], () =>
      messageTemplate(row, {
        isOwn,
        isDm,
        isRead,
        avatars,
        profiles,
        language,
        onShow: isQuoteLoaded ? this.#onShow : undefined,
        onShowFormer: this.#onShowFormer,
        isReacting,
        actions: {
          react: canWrite ? this.#onReact : undefined,
          openReactions: this.#onOpenReactions,
          reply: canWrite ? this.#onReply : undefined,
          edit: canWrite && isOwn ? this.#onEdit : undefined,
          delete: canDelete ? this.#onDelete : undefined,
        },
      }),
    );
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

  readonly #onOpenReactions = (id: string): void => {
    // The button is replaced by the menu, and the actions are shown while the message has the focus.
    this.#rowOf(id)?.focus();
    this.reactingId = id;
    void this.updateComplete.then(() => this.menu?.open());
  };

  readonly #onEdit = (message: ChatMessage): void => {
    this.emit('edit-requested', message);
  };

  readonly #onShowFormer = (id: string): void => {
    this.emit('revisions-requested', { id });
  };

  /** Scrolls to a message and marks it for a moment. */
  readonly #onShow = (id: string): void => {
    const row = this.#rowOf(id);
    if (!this.#position.isShown(id)) this.#position.show(id);
    row?.focus({ preventScroll: true });
    row?.animate({ background: ['var(--_selected)', 'transparent'] }, { duration: markMs, easing: 'ease-in' });
  };

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
    if (this.#position.isAtEnd) this.#position.after();
  }

  /**
   * Keeps the focus where it is when a button in a message is pressed: with the focus, the actions may appear below the
   * message, and the button would move away before it is released.
   */
  #onMouseDown(event: MouseEvent): void {
    if (event.target instanceof Element && event.target.closest('.quote, .edited, .reaction') !== null)
      event.preventDefault();
  }

  #outgoingMessage(outgoing: OutgoingText, window: MessageWindow | undefined): TemplateResult {
    const { clientId, replyTo, failure } = outgoing;
    return outgoingTemplate(outgoing, {
      quote: replyTo === undefined || window === undefined ? undefined : find(window, replyTo),
      error: failure === undefined ? undefined : this.errorTextOf(failure),
      profiles: this.clientState.config.profiles,
      language: this.language,
      onRetry: () => this.live?.messages.retry(clientId),
      onDiscard: () => this.live?.messages.discard(clientId),
    });
  }

  /** The person returns to the page: what arrived meanwhile is shown from its start. */
  readonly #onFocus = (): void => {
    if (!hasAttention() || !this.#isLoaded) return;
    this.#returnToLine();
    // Otherwise the person reads something else.
    this.#mustShowLine = this.#position.isAtEnd;
    this.requestUpdate();
  };

  #onScroll(): void {
    if (!this.#isGoingToLatest) this.#position.onScroll();
    const window = this.#messageWindow;
    if (window !== undefined) this.#onMoved(window);
  }

  /** Called when other messages may be on the screen. */
  #onMoved(window: MessageWindow): void {
    this.isAtEnd = this.#position.isAtEnd && window.reachesEnd;
    this.#loadMore();
    this.#see(window);
  }

  #loadMore(): void {
    const window = this.#messageWindow;
    const { live } = this;
    if (window === undefined || live === undefined || !this.#isLoaded) return;
    if (window.loading !== undefined || window.failure !== undefined) return;
    if (!window.reachesEnd && this.#position.belowPx < loadPx) void live.history.newer(this.conversation);
    else if (hasOlder(window) && this.#position.abovePx < loadPx) void live.history.older(this.conversation);
  }

  /** Marks what the person sees as read. */
  #see(window: MessageWindow): void {
    const conversation = this.#openConversation;
    const { live } = this;
    const shown = conversation === undefined || conversation.unreadCount === 0 ? undefined : this.#shown(window);
    if (conversation === undefined || live === undefined || shown === undefined) {
      this.hasSkipped = false;
      return;
    }
    this.hasSkipped = this.#reading.hasSkipped(conversation, window, shown, this.data.account);
    if (!this.hasSkipped && hasAttention()) this.#reading.see(conversation, shown, live);
  }

  /** What is on the screen; undefined if no message is. */
  #shown({ messages, changes }: MessageWindow): Shown | undefined {
    const { first, last } = this.#position.shown;
    const seqOf = (key: string | undefined) => [...messages, ...changes].find((row) => keyOf(row) === key)?.seq;
    const firstSeq = seqOf(first);
    if (firstSeq === undefined) return undefined;
    return { firstSeq, lastSeq: (this.isAtEnd ? messages.at(-1)?.seq : seqOf(last)) ?? -1 };
  }

  /** A bar above the messages: leads to the unread messages that were skipped, or marks them as read. */
  #skipped(unread: number): TemplateResult {
    const { texts, formats } = this.language;
    return html`<div class="bar">
      <button class="button" @click=${this.#goToUnread}>${icon('up')} ${texts.unread(unread, formats)}</button>
      <button class="button" @click=${this.#markAllAsRead}>${texts.markAsRead}</button>
    </div>`;
  }

  #goToUnread(): void {
    void this.live?.history.open(this.conversation);
    this.#returnToLine();
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
    const window = this.#messageWindow;
    this.#position.isAtEnd = true;
    if (window?.reachesEnd === false && this.live !== undefined) {
      this.#isGoingToLatest = true;
      void this.live.history.latest(this.conversation);
    } else this.#position.after();
    this.scroller?.focus();
  }

  /**
   * Enter on the list itself goes to the newest message. Once a message has the focus, the arrow keys move between
   * messages.
   */
  #onKey(event: KeyboardEvent): void {
    const rows = [...this.renderRoot.querySelectorAll<HTMLElement>('.message[data-key]')];
    const active = this.shadowRoot?.activeElement?.closest<HTMLElement>('.message[data-key]');
    const isOnList = event.target === this.scroller;
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
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

/** Whether the person looks at the page. */
function hasAttention(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}
