import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { permissionsIn } from '../conversations/permissions';
import { defineElement } from '../elements/define-element';
import { WaggleElement } from '../elements/waggle-element';
import type { ChatMessage, ConversationData, OutgoingText } from '../store/chat-data';
import { type MessageWindow, reachesEnd } from '../store/message-window';
import { avatarStyles } from '../theme/avatar';
import { icon } from '../theme/icons';
import { type MessageRow, messageRows, type Row } from './message-rows';
import { messageStyles } from './message-styles';
import { messageTemplate, outgoingTemplate } from './message-templates';
import { ScrollPosition } from './scroll-position';

/** How close to either end of the list the next page is loaded, in pixels: more than a screen. */
const loadPx = 1_200;

/** Delay of an acknowledgment, which covers the messages that arrive meanwhile. */
const acknowledgeMs = 300;

/** Messages that screen readers are given at once: more could not be read out in time. */
const maxAnnounced = 20;

/**
 * The messages of a conversation. Only a window of the history exists, in memory and on the page.
 *
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
        display: block;
        min-height: 0;
        background: var(--_canvas);
      }

      .scroller {
        height: 100%;
        overflow-x: hidden;
        overflow-y: scroll;
        overscroll-behavior: contain;
        container: messages / inline-size;
        /* ScrollPosition keeps the rows in place, in all browsers alike. */
        overflow-anchor: none;
      }

      @media print {
        .scroller {
          height: auto;
          overflow: visible;
          container: none;
        }

        .to-latest {
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

      .day {
        position: sticky;
        z-index: 1;
        inset-block-start: 8px;
        width: fit-content;
        margin: 16px auto 8px;
        padding: 2px 12px;
        border-radius: 12px;
        background: light-dark(
          color-mix(in srgb, var(--_canvas) 92%, var(--_text)),
          color-mix(in srgb, var(--_canvas) 80%, var(--_text))
        );
        font-size: var(--_text-sm);
        font-weight: 500;
      }

      /* It would cover the line of new messages. */
      .day.before-unread {
        position: static;
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

      .to-latest {
        position: absolute;
        inset-block-end: 16px;
        inset-inline-end: 24px;
        border: 1px solid var(--_border);
        background: var(--_raised);
        box-shadow: 0 2px 8px rgb(0 0 0 / 20%);
      }

      .to-latest .badge {
        position: absolute;
        inset-block-start: -10px;
        inset-inline: 0;
        width: fit-content;
        margin-inline: auto;
      }
    `,
  ];

  /** Id of the conversation. */
  @property() conversation = '';

  /** New messages, for screen readers. */
  @state() private announced: readonly ChatMessage[] = [];

  /** Whether the end is shown; otherwise there is a button that goes to it. */
  @state() private isAtEnd = true;

  @query('.scroller') private readonly scroller!: HTMLElement | null;

  readonly #position = new ScrollPosition(() => this.scroller);
  readonly #resizes = new ResizeObserver(() => {
    if (this.#position.isAtEnd) this.#position.after();
    this.#loadMore();
  });
  /** Whether the history of the shown conversation was opened. */
  #isOpened = false;
  /** Whether its first page was scrolled into place. */
  #isLoaded = false;
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
  #acknowledging: ReturnType<typeof setTimeout> | undefined;

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
    clearTimeout(this.#acknowledging);
    this.#acknowledging = undefined;
  }

  protected override firstUpdated(): void {
    this.#observeResizes();
  }

  protected override willUpdate(changed?: PropertyValues<this>): void {
    super.willUpdate();
    if (changed?.has('conversation') === true) {
      this.announced = [];
      this.#newestSeq = undefined;
      this.#position.isAtEnd = true;
      this.#isOpened = false;
      this.#isLoaded = false;
      this.#isGoingToLatest = false;
    }
    this.#openHistory();
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
    if (!this.#isLoaded && window.loading !== 'latest' && window.failure === undefined) {
      this.#isLoaded = true;
      if (window.firstUnreadId !== undefined) this.#position.show('unread');
    }
    this.isAtEnd = this.#position.isAtEnd && reachesEnd(window);
    this.#loadMore();
    this.#acknowledge();
  }

  protected override render(): TemplateResult {
    const { texts, formats } = this.language;
    const window = this.#messageWindow;
    const conversation = this.data.conversations.get(this.conversation);
    const outgoing = this.data.outgoing.filter(
      ({ conversationId, probableMessageId }) =>
        conversationId === this.conversation && probableMessageId === undefined,
    );
    const unread = conversation?.unreadCount ?? 0;
    return html`<div
        class="scroller"
        part="messages"
        tabindex="0"
        role="region"
        aria-label=${texts.messages}
        @scroll=${this.#onScroll}
        @keydown=${this.#onKey}
      >
        <div class="column">
          ${this.#edge(window, outgoing.length)}
          ${
            window === undefined || conversation === undefined
              ? nothing
              : html`<ol class=${conversation.type}>
                  ${repeat(
                    messageRows(window.messages, window.firstUnreadId),
                    ({ key }) => key,
                    (row) => this.#row(row, conversation),
                  )}
                </ol>`
          }
          ${window?.failure === undefined || failsAtStart(window) ? nothing : this.#loadFailure(window.failure)}
          <ol>
            ${repeat(
              outgoing,
              ({ clientId }) => clientId,
              (each) => this.#outgoingMessage(each),
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
          : html`<button class="icon-button to-latest" aria-label=${texts.toLatest} @click=${this.#goToLatest}>
              ${icon('down')} ${unread > 0 ? html`<span class="badge">${formats.number(unread)}</span>` : nothing}
            </button>`
      }`;
  }

  /** Opens the history when the conversation is shown, and again if its window was dropped since. */
  #openHistory(): void {
    if (this.clientState.phase !== 'ready' || !this.data.conversations.has(this.conversation)) return;
    if (this.#isOpened && this.#messageWindow !== undefined) return;
    this.#isOpened = true;
    void this.live?.history.open(this.conversation);
  }

  /**
   * Announces new messages of others to screen readers, but not messages of the first page or of pages that are loaded
   * again.
   */
  #announce(): void {
    const window = this.#messageWindow;
    if (window === undefined || (window.messages.length === 0 && (window.loading ?? window.failure) !== undefined)) {
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

  get #messageWindow(): MessageWindow | undefined {
    return this.data.windows.get(this.conversation);
  }

  /** What is above the first message. Its height is fixed, so that nothing moves while a page is loading. */
  #edge(window: MessageWindow | undefined, outgoingCount: number): TemplateResult {
    const { texts } = this.language;
    if (window?.failure !== undefined && failsAtStart(window)) return this.#loadFailure(window.failure);
    if (window === undefined || (window.loading !== undefined && window.messages.length === 0)) {
      return html`<div class="edge muted" role="status">${texts.loading}</div>`;
    }
    if (window.hasOlder) return html`<div class="edge muted">${texts.loadingOlder}</div>`;
    if (window.messages.length + outgoingCount > 0) return html`<div class="edge muted">${texts.historyStart}</div>`;
    return html`<div class="empty"><strong>${texts.noMessages}</strong>${texts.noMessagesHint}</div>`;
  }

  #loadFailure({ code }: NonNullable<MessageWindow['failure']>): TemplateResult {
    const { texts } = this.language;
    return html`<div class="edge" role="alert">
      <span>
        ${texts.errorLoading} ${this.errorTextOf(code)}
        <button class="button" @click=${this.#retry}>${texts.retry}</button>
      </span>
    </div>`;
  }

  #row(row: Row, conversation: ConversationData): unknown {
    const { texts, formats } = this.language;
    if (row.kind === 'message') return this.#guarded(row, conversation);
    if (row.kind === 'unread') {
      return html`<li class="unread" data-key=${row.key}>${texts.unreadDivider}</li>`;
    }
    const text = formats.dayHeading(row.date, new Date(), texts);
    return html`<li class=${row.isBeforeUnread ? 'day before-unread' : 'day'} data-key=${row.key}>${text}</li>`;
  }

  /** Renders a message only if it changed: in a busy conversation most rows stay the same. */
  #guarded(row: MessageRow, conversation: ConversationData): unknown {
    const { message } = row;
    const { type, readSeq } = conversation;
    const { account } = this.data;
    const isOwn = message.from === account;
    const isDm = type === 'dm';
    const isRead = isOwn && isDm && (message.read || message.seq <= readSeq);
    const canDelete = isOwn || permissionsIn(conversation, account).canDeleteAll;
    const { language } = this;
    const { avatars, profiles } = this.clientState.config;
    return guard([message, row.startsGroup, row.endsGroup, isRead, canDelete, language, avatars, profiles], () =>
      messageTemplate(row, {
        isOwn,
        isDm,
        isRead,
        avatars,
        profiles,
        language,
        onDelete: canDelete ? this.#onDelete : undefined,
      }),
    );
  }

  /** The message that had the focus was deleted. */
  protected override restoreFocus(): void {
    this.scroller?.focus();
  }

  readonly #onDelete = (id: string): void => {
    // When the dialog closes it returns the focus to the message, since the button is hidden by then.
    this.renderRoot.querySelector<HTMLElement>(`[data-key="${CSS.escape(id)}"]`)?.focus();
    this.emit('delete-requested', { id });
  };

  #outgoingMessage(outgoing: OutgoingText): TemplateResult {
    const { clientId, failure } = outgoing;
    return outgoingTemplate(outgoing, {
      error: failure === undefined ? undefined : this.errorTextOf(failure),
      profiles: this.clientState.config.profiles,
      language: this.language,
      onRetry: () => this.live?.messages.retry(clientId),
      onDiscard: () => this.live?.messages.discard(clientId),
    });
  }

  readonly #onFocus = (): void => {
    this.#acknowledge();
  };

  #onScroll(): void {
    if (!this.#isGoingToLatest) this.#position.onScroll();
    const window = this.#messageWindow;
    this.isAtEnd = this.#position.isAtEnd && (window === undefined || reachesEnd(window));
    this.#loadMore();
    this.#acknowledge();
  }

  #loadMore(): void {
    const window = this.#messageWindow;
    const { live } = this;
    if (window === undefined || live === undefined || !this.#isLoaded) return;
    if (window.loading !== undefined || window.failure !== undefined) return;
    if (!reachesEnd(window) && this.#position.belowPx < loadPx) void live.history.newer(this.conversation);
    else if (window.hasOlder && this.#position.abovePx < loadPx) void live.history.older(this.conversation);
  }

  /** Marks everything as read when the user sees the end of the conversation. */
  #acknowledge(): void {
    const isSeen = () =>
      this.isAtEnd &&
      document.visibilityState === 'visible' &&
      document.hasFocus() &&
      (this.data.conversations.get(this.conversation)?.unreadCount ?? 0) > 0;
    if (this.#acknowledging !== undefined || !isSeen()) return;
    this.#acknowledging = setTimeout(() => {
      this.#acknowledging = undefined;
      if (this.isConnected && isSeen()) this.live?.messages.acknowledge(this.conversation);
    }, acknowledgeMs);
  }

  #retry(): void {
    this.#isGoingToLatest = this.#messageWindow?.failure?.load === 'latest';
    void this.live?.history.retry(this.conversation);
  }

  #goToLatest(): void {
    const window = this.#messageWindow;
    this.#position.isAtEnd = true;
    if (window !== undefined && !reachesEnd(window) && this.live !== undefined) {
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

/** Whether the messages that could not be loaded belong above those that are shown, and not below them. */
function failsAtStart({ failure, messages }: MessageWindow): boolean {
  return failure?.load === 'older' || messages.length === 0;
}
