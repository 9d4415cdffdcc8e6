import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import './waggle-conversation';
import type { WaggleConversation } from './waggle-conversation';
import './conversations/waggle-conversation-details';
import './conversations/waggle-conversation-list';
import type { WaggleConversationList } from './conversations/waggle-conversation-list';
import './conversations/waggle-new-conversation';
import './people/waggle-people';
import './settings/waggle-settings';
import './sign-in/waggle-sign-in';
import { avatar, avatarStyles } from './theme/avatar';
import { icon } from './theme/icons';
import { defineElement } from './elements/define-element';
import { WaggleElement } from './elements/waggle-element';

/** What the first pane shows. */
type View = 'chats' | 'people' | 'new' | 'settings';

/**
 * The whole client: signs in, lists conversations and shows one.
 *
 * @fires conversation-selected - `detail.id` is the conversation that is shown, undefined for none
 * @fires unread-changed - `detail.count` is the number of unread messages
 */
@defineElement('waggle-chat')
export class WaggleChat extends WaggleElement {
  static override styles = [
    ...WaggleElement.styles,
    avatarStyles,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        grid-template-columns: minmax(0, 1fr);
        height: 100%;
        min-height: 320px;
        overflow: hidden;
        background: var(--_canvas);
        container: waggle-chat / inline-size;
      }

      .panes {
        grid-row: 2;
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        grid-template-rows: minmax(0, 1fr);
        min-height: 0;
      }

      .pane {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        grid-template-columns: minmax(0, 1fr);
        min-width: 0;
        min-height: 0;
        background: var(--_surface);
      }

      .pane > header {
        display: flex;
        align-items: center;
        gap: 8px;
        min-height: 64px;
        padding: 8px 16px;
      }

      .pane h2 {
        font-size: var(--_text-lg);
      }

      .me {
        border-radius: 50%;
      }

      .me:hover {
        box-shadow: 0 0 0 4px var(--_hover);
      }

      .icon-button {
        position: relative;
      }

      .icon-button .badge {
        position: absolute;
        inset-block-start: 0;
        inset-inline-end: 0;
        min-width: 18px;
        padding: 0 4px;
        font-size: var(--_text-xs);
        line-height: 1.6;
      }

      .main {
        min-width: 0;
        min-height: 0;
      }

      .main .empty {
        align-content: center;
        height: 100%;
      }

      /* One pane. */
      .panes.open .list,
      .panes:not(.open) .main,
      .panes.details .main {
        display: none;
      }

      /* Two panes; details cover the conversation. */
      @container waggle-chat (min-width: 720px) {
        .panes {
          grid-template-columns: clamp(312px, 32cqi, 360px) minmax(0, 1fr);
        }

        .panes.open .list,
        .panes:not(.open) .main {
          display: grid;
        }

        .list {
          border-inline-end: 1px solid var(--_border);
        }

        waggle-conversation::part(back) {
          display: none;
        }
      }

      /* Three panes. */
      @container waggle-chat (min-width: 1080px) {
        .panes.details {
          grid-template-columns: clamp(312px, 32cqi, 360px) minmax(0, 1fr) minmax(280px, 340px);
        }

        .panes.details .main {
          display: grid;
        }

        .aside {
          border-inline-start: 1px solid var(--_border);
        }
      }

      /* The conversation alone. */
      @media print {
        :host,
        .panes,
        .main {
          display: block;
          height: auto;
          overflow: visible;
        }

        .notice,
        .panes.open .list,
        .panes .aside {
          display: none;
        }
      }

      .notice {
        grid-row: 1;
        padding: 4px 16px;
        background: var(--_warning);
        color: var(--_on-warning);
        font-size: var(--_text-sm);
        text-align: center;
        text-wrap: balance;
      }

      .notice .button {
        min-height: 32px;
        padding: 4px 12px;
        font-size: var(--_text-sm);
        color: var(--_text);
      }

      waggle-sign-in,
      .starting {
        grid-row: 1 / -1;
        align-content: safe center;
      }
    `,
  ];

  /** Id of the conversation that is shown. */
  @property({ reflect: true }) conversation: string | undefined;

  @state() private view: View = 'chats';
  @state() private showsDetails = false;
  /** Accounts that a new conversation begins with. */
  @state() private recipients = '';
  @query('waggle-conversation') private readonly opened!: WaggleConversation | null;
  @query('waggle-conversation-list') private readonly list!: WaggleConversationList | null;
  @query('waggle-sign-in') private readonly signIn!: HTMLElement | null;
  @query('.list header button') private readonly firstButton!: HTMLElement | null;
  @query('.aside header button') private readonly closeButton!: HTMLElement | null;
  /** The account that was signed in last, and the conversation that it saw last. */
  #seen: { account: string; conversation: string | undefined } = { account: '', conversation: undefined };
  /** Whether the focus is, or was before it was lost, in the first pane. */
  #isFocusInList = false;
  /** The conversation that was shown last. */
  #lastShown: string | undefined;
  #requested: { id: string } | undefined;
  #unreadCount = 0;

  protected override willUpdate(changed?: PropertyValues<this>): void {
    super.willUpdate();
    const { phase, requested } = this.clientState;
    if (requested !== this.#requested) {
      this.#requested = requested;
      if (requested !== undefined) this.#open(requested.id);
    }
    if (phase === 'signed-out') {
      this.view = 'chats';
      this.showsDetails = false;
    }
    if (changed?.has('conversation') === true) this.showsDetails = false;
    const { account } = this.data;
    if (account === '') return;
    const { account: last, conversation } = this.#seen;
    // Unless the page asked for another conversation since.
    const isOfOther = last !== '' && last !== account && conversation === this.conversation;
    if (isOfOther && conversation !== undefined) this.#select(undefined);
    this.#seen = { account, conversation: this.conversation };
  }

  protected override onAccountChange(): void {
    this.view = 'chats';
    this.showsDetails = false;
    this.recipients = '';
    this.#lastShown = undefined;
  }

  protected override update(changed: PropertyValues<this>): void {
    this.#isFocusInList = (this.shadowRoot?.activeElement?.closest('.list') ?? null) !== null;
    super.update(changed);
    this.#lastShown = this.conversation ?? this.#lastShown;
  }

  /** Another pane, or another account, may be shown instead. */
  protected override hasLost(focused: Element): boolean {
    return focused.getClientRects().length === 0;
  }

  protected override restoreFocus(): void {
    const isShown = (element: HTMLElement | null) => element !== null && element.getClientRects().length > 0;
    if (this.signIn !== null) this.signIn.focus();
    else if (this.#isFocusInList && isShown(this.firstButton)) this.firstButton?.focus();
    else if (isShown(this.closeButton)) this.closeButton?.focus();
    else if (isShown(this.opened)) this.opened?.focusTitle();
    else if (this.#lastShown === undefined) this.firstButton?.focus();
    else this.list?.focusEntry(this.#lastShown);
  }

  /** Reports the number of unread messages. */
  protected override onStateChange(): void {
    const count = [...this.data.conversations.values()].reduce((sum, { unreadCount }) => sum + unreadCount, 0);
    if (count === this.#unreadCount) return;
    this.#unreadCount = count;
    this.emit('unread-changed', { count });
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const { phase } = this.clientState;
    if (phase === 'starting') return html`<div class="starting empty" role="status">${this.loadingText()}</div>`;
    if (phase === 'signed-out')
      return html`<waggle-sign-in .client=${this.usedClient} exportparts="card"></waggle-sign-in>`;
    const isOpen = this.conversation !== undefined;
    const showsDetails = this.showsDetails && isOpen && this.data.conversations.has(this.conversation ?? '');
    // One landmark and one title for all layouts: each pane may be the only one.
    const panes = html`<main class="panes ${isOpen ? 'open' : ''} ${showsDetails ? 'details' : ''}">
      <h1 class="visually-hidden">${texts.chat}</h1>
      <section class="list pane" part="list" aria-label=${texts.conversations}>${this.#firstPane()}</section>
      <div class="main" part="main">
        ${
          isOpen
            ? html`<waggle-conversation
                .client=${this.usedClient}
                .conversation=${this.conversation ?? ''}
                can-go-back
                @back-requested=${() => {
                  this.#select(undefined);
                }}
                @details-requested=${() => {
                  this.showsDetails = !this.showsDetails;
                }}
                exportparts="header, messages, bubble, own-bubble, composer"
              ></waggle-conversation>`
            : html`<div class="empty">
                ${icon('chats', 40)}<strong>${texts.selectConversation}</strong>${texts.selectConversationHint}
              </div>`
        }
      </div>
      ${showsDetails ? this.#details() : nothing}
    </main>`;
    return html`${this.#connectionNotice()} ${keyed(this.data.account, panes)}`;
  }

  #firstPane(): TemplateResult {
    const { texts, formats } = this.language;
    const { account, people } = this.data;
    if (this.view !== 'chats') {
      return html`<header>
          <button
            class="icon-button"
            aria-label=${texts.back}
            @click=${() => {
              this.view = 'chats';
            }}
          >
            ${icon('back')}
          </button>
          <h2 class="grow">
            ${{ people: texts.people, new: texts.newConversation, settings: texts.settings }[this.view]}
          </h2>
        </header>
        ${this.#panel(this.view)}`;
    }
    const requestCount = people.requests.length === 0 ? '' : formats.number(people.requests.length);
    return html`<header>
        <button
          class="me"
          aria-label="${texts.settings}: ${account}"
          title=${texts.settings}
          @click=${() => {
            this.view = 'settings';
          }}
        >
          ${avatar(account, { pattern: this.clientState.config.avatars })}
        </button>
        <h2 class="grow ellipsis">${texts.conversations}</h2>
        <button
          class="icon-button"
          aria-label=${requestCount === '' ? texts.people : `${texts.people}, ${texts.requests}: ${requestCount}`}
          title=${texts.people}
          @click=${() => {
            this.view = 'people';
          }}
        >
          ${icon('people', 22)} ${requestCount === '' ? nothing : html`<span class="badge">${requestCount}</span>`}
        </button>
        <button
          class="icon-button"
          aria-label=${texts.newConversation}
          title=${texts.newConversation}
          @click=${() => {
            this.#startConversation('');
          }}
        >
          ${icon('compose', 22)}
        </button>
      </header>
      <waggle-conversation-list
        .client=${this.usedClient}
        .selected=${this.conversation}
        exportparts="conversation"
        @conversation-selected=${this.#onConversationSelected}
      ></waggle-conversation-list>`;
  }

  #panel(view: Exclude<View, 'chats'>): TemplateResult {
    const { usedClient } = this;
    if (view === 'people') {
      return html`<waggle-people .client=${usedClient} @account-selected=${this.#onAccountSelected}></waggle-people>`;
    }
    if (view === 'settings') return html`<waggle-settings .client=${usedClient}></waggle-settings>`;
    return html`<waggle-new-conversation
      .client=${usedClient}
      .to=${this.recipients}
      @conversation-selected=${this.#onConversationSelected}
    ></waggle-new-conversation>`;
  }

  #details(): TemplateResult {
    const { texts } = this.language;
    return html`<section class="aside pane" part="details" aria-label=${texts.details}>
      <header>
        <h2 class="grow">${texts.details}</h2>
        <button
          class="icon-button"
          aria-label=${texts.close}
          @click=${() => {
            this.showsDetails = false;
          }}
        >
          ${icon('close')}
        </button>
      </header>
      <waggle-conversation-details
        .client=${this.usedClient}
        .conversation=${this.conversation ?? ''}
        @conversation-left=${this.#onConversationLeft}
      ></waggle-conversation-details>
    </section>`;
  }

  /** The element exists before it has a text, so that screen readers announce the text. */
  #connectionNotice(): TemplateResult {
    const text = this.clientState.phase === 'ready' ? this.#connectionText() : nothing;
    return html`<div class=${text === nothing ? '' : 'notice'} role="status">${text}</div>`;
  }

  #connectionText(): TemplateResult | string | typeof nothing {
    const { texts } = this.language;
    const { connection, isOnline, retryReason } = this.clientState;
    if (!isOnline) return texts.offline;
    // The pause before the next attempt may take half a minute.
    if (connection !== 'connected') return html`${texts.reconnecting} ${this.retryButton()}`;
    if (retryReason === undefined) return nothing;
    return this.loadingText();
  }

  #onConversationSelected(event: CustomEvent<{ id: string }>): void {
    event.stopPropagation();
    this.#open(event.detail.id);
  }

  #onConversationLeft(event: Event): void {
    event.stopPropagation();
    this.#select(undefined);
  }

  #onAccountSelected(event: CustomEvent<{ account: string }>): void {
    event.stopPropagation();
    const { account } = event.detail;
    const id = this.live?.conversations.findDm(account);
    if (id === undefined) this.#startConversation(account);
    else this.#open(id);
  }

  #startConversation(recipients: string): void {
    this.recipients = recipients;
    this.view = 'new';
    this.showsDetails = false;
  }

  /** Shows a conversation, and puts the cursor into its field. */
  #open(id: string): void {
    this.view = 'chats';
    this.#select(id);
    void this.updateComplete.then(() => {
      // On a phone the keyboard would cover the messages.
      if (matchMedia('(hover: hover)').matches) this.opened?.focus();
    });
  }

  #select(id: string | undefined): void {
    this.conversation = id;
    this.emit('conversation-selected', { id });
  }
}
