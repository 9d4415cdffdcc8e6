import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { repeat } from 'lit/directives/repeat.js';
import './waggle-conversation';
import type { WaggleConversation } from './waggle-conversation';
import { chatStyles } from './chat-styles';
import { ChatDialogs } from './commands/chat-dialogs';
import type { PaletteAction } from './commands/waggle-palette';
import { type Shortcut, shortcutOf } from './commands/shortcut-keys';
import { sortedConversations } from './store/conversation-order';
import './conversations/waggle-conversation-list';
import type { WaggleConversationList } from './conversations/waggle-conversation-list';
import type { WaggleSearch } from './search/waggle-search';
import './sign-in/waggle-sign-in';
import { avatar, avatarStyles } from './theme/avatar';
import { brand, brandStyles } from './theme/brand';
import { icon, type IconName } from './theme/icons';
import { entriesSkeleton, skeletonStyles } from './theme/skeleton';
import { defineElement } from './elements/define-element';
import { isUnusedEscape, useKey } from './elements/page-keys';
import { LazyElement } from './elements/lazy-element';
import { reportedCount } from './store/conversation-changes';
import { unreadMentions } from './store/mentioned';
import { isOverlay, PaneStack } from './elements/pane-stack';
import { WaggleElement } from './elements/waggle-element';
import {
  argumentOf,
  channelsArgument,
  conversationPrefix,
  newPrefix,
  type PaneKind,
  searchPrefix,
  type View,
  viewOf,
  withConversation,
  withoutPane,
} from './panes';

/**
 * The whole client: signs in, lists conversations and shows one.
 *
 * @fires conversation-selected - `detail.id` is the conversation that is shown, undefined for none
 * @fires unread-changed - `detail.count` is the number of unread messages
 * @fires panes-changed - `detail.panes` are the open panes, as in `panes`
 */
@defineElement('waggle-chat')
export class WaggleChat extends WaggleElement {
  static override styles = [...WaggleElement.styles, avatarStyles, brandStyles, skeletonStyles, chatStyles];

  /** The name of the chat; by default the one that its operator chose. */
  @property() name: string | undefined;

  /** The URL of its logo; by default the one that its operator chose. */
  @property() logo: string | undefined;

  /** Id of the conversation that is shown. */
  @property({ reflect: true })
  get conversation(): string | undefined {
    return argumentOf(this.panes, conversationPrefix);
  }

  set conversation(id: string | undefined) {
    if (id === this.conversation) return;
    // Without the attribute, the id is null.
    const isNone = typeof id !== 'string';
    this.#showForPage(isNone ? withoutPane(this.panes, 'conversation') : withConversation(this.panes, id));
  }

  /**
   * The panes and dialogs that are open above the list, the topmost last, such as `conversation:<id>` or `settings`. A
   * page may close and open panes by it; dialogs can only be closed.
   */
  @property({ attribute: false })
  get panes(): readonly string[] {
    return this.#stack.names;
  }

  set panes(panes: readonly string[]) {
    this.#showForPage(panes);
  }

  /** How many people are picked for a new conversation. */
  @state() private recipientCount = 0;

  @query('waggle-conversation') private readonly opened!: WaggleConversation | null;
  /** What a search begins with. */
  @state() private searchText = '';

  readonly #panels = {
    people: new LazyElement(this, 'waggle-people', () => import('./people/waggle-people')),
    new: new LazyElement(this, 'waggle-new-conversation', () => import('./conversations/waggle-new-conversation')),
    search: new LazyElement<WaggleSearch>(this, 'waggle-search', () => import('./search/waggle-search')),
    mentions: new LazyElement(this, 'waggle-mentions', () => import('./mentions/waggle-mentions')),
    settings: new LazyElement(this, 'waggle-settings', () => import('./settings/waggle-settings')),
    details: new LazyElement(
      this,
      'waggle-conversation-details',
      () => import('./conversations/waggle-conversation-details'),
    ),
  };
  readonly #dialogs = new ChatDialogs(this);
  @query('waggle-conversation-list') private readonly list!: WaggleConversationList | null;
  @query('waggle-sign-in') private readonly signIn!: HTMLElement | null;
  @query('.list .pane:not([hidden]) header button') private readonly firstButton!: HTMLElement | null;
  @query('.aside header button') private readonly closeButton!: HTMLElement | null;
  readonly #stack = new PaneStack(this, (opener) => {
    this.#onPanesChange(opener);
  });
  /** Whether the page is changing the panes: then it needs no events. */
  #isChangedByPage = false;
  /** The conversation that was open before the panes changed. */
  #previous: string | undefined;
  /** The number of open panes, and whether the last change opened or closed one. */
  #depth = 0;
  #direction: 'forward' | 'back' | '' = '';
  /** What opened the pane that was closed since the last update. */
  #opener: HTMLElement | undefined;
  /** The account that was signed in last, and the conversation that it saw last. */
  #seen: { account: string; conversation: string | undefined } = { account: '', conversation: undefined };
  /** Whether the focus is, or was before it was lost, in the first pane. */
  #isFocusInList = false;
  /** The conversation that was shown last. */
  #lastShown: string | undefined;
  #requested: { id: string } | undefined;
  #unreadCount = 0;

  /** Closes the topmost pane or dialog. @returns whether one was open */
  closePane(): boolean {
    return this.#stack.closeTopmost();
  }

  /**
   * Does what a key is a shortcut for. A page that shows nothing else may pass it the keys that are pressed while
   * nothing has the focus.
   *
   * @returns whether it is a shortcut
   */
  handleKey(event: KeyboardEvent): boolean {
    if (isUnusedEscape(event)) return this.closePane();
    const shortcut = shortcutOf(event);
    if (shortcut === undefined || !this.#dialogs.exist) return false;
    event.preventDefault();
    // A dialog or a menu covers what shortcuts act on.
    if (!this.panes.some(isOverlay)) this.#perform(shortcut);
    return true;
  }

  #perform(shortcut: Shortcut): void {
    if (shortcut === 'palette' || shortcut === 'shortcuts') void this.#dialogs.open(shortcut, this.language.texts);
    else this.#switchConversation(shortcut === 'previous-conversation' ? -1 : 1);
  }

  /** Loads what a key opens, so that letters that follow the key do not go elsewhere. */
  protected override updated(): void {
    if (this.clientState.phase === 'ready') this.#dialogs.preload(this.language.texts);
  }

  protected override willUpdate(): void {
    super.willUpdate();
    const { phase, requested } = this.clientState;
    if (requested !== this.#requested) {
      this.#requested = requested;
      if (requested !== undefined) this.#open(requested.id);
    }
    const { account, conversations } = this.data;
    const { conversation } = this;
    if (phase === 'signed-out') this.#showOnly(conversation);
    if (phase === 'ready' && !conversations.has(conversation ?? '')) this.#close('details');
    if (account === '') return;
    const { account: last, conversation: seen } = this.#seen;
    // The page may have asked for another conversation since.
    if (last !== '' && last !== account) this.#showOnly(seen === conversation ? undefined : conversation);
    this.#seen = { account, conversation: this.conversation };
  }

  protected override onAccountChange(): void {
    this.#lastShown = undefined;
  }

  protected override update(changed: PropertyValues<this>): void {
    this.#isFocusInList = (this.shadowRoot?.activeElement?.closest('.list') ?? null) !== null;
    super.update(changed);
    this.#opener = undefined;
    this.#lastShown = this.conversation ?? this.#lastShown;
  }

  /** Another pane, or another account, may be shown instead. */
  protected override hasLost(focused: Element): boolean {
    return focused.getClientRects().length === 0;
  }

  protected override restoreFocus(): void {
    const isShown = (element: HTMLElement | null | undefined) =>
      (element?.getClientRects().length ?? 0) > 0 && element?.matches(':disabled') !== true;
    if (this.signIn !== null) this.signIn.focus();
    else if (isShown(this.#opener)) this.#opener?.focus();
    else if (this.#isFocusInList && isShown(this.firstButton)) this.firstButton?.focus();
    else if (isShown(this.closeButton)) this.closeButton?.focus();
    else if (isShown(this.opened)) this.opened?.focusTitle();
    else if (this.#lastShown === undefined || !isShown(this.list)) this.firstButton?.focus();
    else this.list?.focusEntry(this.#lastShown);
  }

  /** Reports the number of unread messages. */
  protected override onStateChange(): void {
    const count = [...this.data.conversations.values()].reduce((sum, each) => sum + reportedCount(each), 0);
    if (count === this.#unreadCount) return;
    this.#unreadCount = count;
    this.emit('unread-changed', { count });
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const { phase } = this.clientState;
    if (phase === 'starting') {
      const logo = brand('', this.logo ?? this.clientState.config.logo);
      return html`<div class="starting empty welcome">${this.loading(logo)}</div>`;
    }
    if (phase === 'signed-out')
      return html`<waggle-sign-in
        .client=${this.usedClient}
        .name=${this.name}
        .logo=${this.logo}
        exportparts="card, brand"
      ></waggle-sign-in>`;
    const isOpen = this.conversation !== undefined;
    const showsDetails = this.#showsDetails;
    const classes = `panes shows-${this.#topmost} ${this.#direction} ${isOpen ? 'open' : ''} ${showsDetails ? 'details' : ''}`;
    // One landmark and one title for all layouts: each pane may be the only one.
    const panes = html`<main class=${classes} tabindex="-1" @keydown=${this.#onKey}>
      <h1 class="visually-hidden">${this.#name}</h1>
      <section class="list" part="list" aria-label=${texts.conversations}>${this.#firstPane()}</section>
      <div class="main" part="main">
        ${
          isOpen
            ? html`<waggle-conversation
                .client=${this.usedClient}
                .conversation=${this.conversation ?? ''}
                .showsDetails=${showsDetails}
                can-go-back
                ?can-search=${this.clientState.config.search}
                @search-requested=${() => {
                  this.#openSearch('', this.conversation);
                }}
                @back-requested=${() => {
                  this.#close('conversation');
                }}
                @details-requested=${() => {
                  if (this.panes.includes('details')) this.#close('details');
                  else this.#show('details');
                }}
                exportparts="header, messages, bubble, own-bubble, composer"
              ></waggle-conversation>`
            : this.#nothingOpen()
        }
      </div>
      ${showsDetails ? this.#details() : nothing}
      <waggle-palette
        .client=${this.usedClient}
        @conversation-selected=${this.#onConversationSelected}
        @account-selected=${this.#onAccountSelected}
        @action-selected=${this.#onActionSelected}
      ></waggle-palette>
      <waggle-shortcuts .client=${this.usedClient}></waggle-shortcuts>
    </main>`;
    return html`${this.#connectionNotice()} ${keyed(this.data.account, panes)}`;
  }

  #nothingOpen(): TemplateResult {
    const { texts } = this.language;
    const isNewOpen = this.panes.some((pane) => viewOf(pane) === 'new');
    if (this.data.conversations.size > 0 || this.clientState.phase !== 'ready') {
      return html`<div class="empty">
        ${icon('chats', 40)}<strong>${texts.selectConversation}</strong>
        ${isNewOpen ? nothing : html`<button class="button" @click=${this.#showNew}>${texts.newConversation}</button>`}
      </div>`;
    }
    return html`<div class="empty welcome">
      ${brand('', this.logo ?? this.clientState.config.logo)}
      <strong>${texts.welcome(this.#name)}</strong>
      <p dir="auto">${texts.welcomeHint}</p>
      <div class="row">
        ${isNewOpen ? nothing : html`<button class="button primary" @click=${this.#showNew}>${texts.writeMessageTo}</button>`}
        ${this.#otherBeginnings()}
      </div>
    </div>`;
  }

  /** What an account without conversations may do instead of writing a message. */
  #otherBeginnings(): TemplateResult {
    const { texts } = this.language;
    return html`<button class="button" @click=${this.#showPeople}>${texts.addFriend}</button>
      <button
        class="button"
        @click=${() => {
          this.#show(newPrefix + channelsArgument);
        }}
      >
        ${texts.channels}
      </button>`;
  }

  /** The list, and the views above it. Those that are covered keep their state. */
  #firstPane(): TemplateResult {
    const opened = ['list' as const, ...this.panes.map(viewOf).filter((view) => view !== undefined)];
    return html`${repeat(
      opened,
      (view) => view,
      (view) =>
        html`<div class="pane" ?hidden=${view !== opened.at(-1)}>
          ${view === 'list' ? this.#chats() : this.#view(view)}
        </div>`,
    )}`;
  }

  #view(view: View): TemplateResult {
    const { texts } = this.language;
    const titles: Record<View, string> = {
      people: texts.people,
      new: this.#newTitle,
      settings: texts.settings,
      search: texts.searchMessages,
      mentions: texts.mentionsTitle,
    };
    return html`<header>
        <button
          class="icon-button"
          aria-label=${texts.back}
          @click=${() => {
            this.#close(view);
          }}
        >
          ${icon('back')}
        </button>
        <h2 class="grow">${titles[view]}</h2>
      </header>
      ${
        this.clientState.phase === 'ready'
          ? this.#panels[view].show(this.#panel(view), texts)
          : this.loading(entriesSkeleton)
      }`;
  }

  get #newTitle(): string {
    const { texts, formats } = this.language;
    const { recipientCount: count } = this;
    return count > 1 ? `${texts.newGroup} · ${formats.number(count)}` : texts.newConversation;
  }

  #chats(): TemplateResult {
    const { texts } = this.language;
    const { account, people, conversations } = this.data;
    return html`<header>
        <button
          class="me"
          aria-label="${texts.settings}: ${account}"
          title=${texts.settings}
          @click=${() => {
            this.#show('settings');
          }}
        >
          ${avatar(account, { size: 'small', pattern: this.clientState.config.avatars })} ${icon('settings')}
        </button>
        <div class="grow">
          ${brand(this.#name, this.logo ?? this.clientState.config.logo)}
          <h2 class="visually-hidden">${texts.conversations}</h2>
        </div>
        ${this.#listButton('mention', texts.mentionsTitle, this.#showMentions, { count: unreadMentions(conversations) })}
        ${this.#listButton('people', texts.people, this.#showPeople, {
          count: people.requests.length,
          counted: `${texts.people}, ${texts.requests}`,
        })}
        ${this.#listButton('compose', texts.newConversation, this.#showNew)}
      </header>
      <waggle-conversation-list
        .client=${this.usedClient}
        .selected=${this.conversation}
        can-begin
        ?can-search=${this.clientState.config.search}
        @search-requested=${this.#onSearchRequested}
        exportparts="conversation"
        @new-requested=${this.#showNew}
        @conversation-selected=${this.#onConversationSelected}
        ><div slot="begin" class="row begin">${this.#otherBeginnings()}</div></waggle-conversation-list
      >`;
  }

  /** A button above the list. @param badge the number that it shows unless it is 0, and what is `counted` */
  #listButton(
    name: IconName,
    title: string,
    onClick: () => void,
    { count, counted = title }: { count: number; counted?: string } = { count: 0 },
  ): TemplateResult {
    const number = count === 0 ? '' : this.language.formats.number(count);
    return html`<button
      class="icon-button"
      aria-label=${number === '' ? title : `${counted}: ${number}`}
      title=${title}
      @click=${onClick}
    >
      ${icon(name, 22)} ${number === '' ? nothing : html`<span class="badge">${number}</span>`}
    </button>`;
  }

  #panel(view: View): TemplateResult {
    const { usedClient } = this;
    if (view === 'people')
      return html`<waggle-people .client=${usedClient} @account-selected=${this.#onAccountSelected}></waggle-people>`;
    if (view === 'search')
      return html`<waggle-search
        .client=${usedClient}
        .conversation=${argumentOf(this.panes, searchPrefix) ?? ''}
        .text=${this.searchText}
        @message-selected=${this.#onMessageSelected}
      ></waggle-search>`;
    if (view === 'mentions')
      return html`<waggle-mentions
        .client=${usedClient}
        @message-selected=${this.#onMessageSelected}
      ></waggle-mentions>`;
    if (view === 'settings') return html`<waggle-settings .client=${usedClient}></waggle-settings>`;
    return html`<waggle-new-conversation
      .client=${usedClient}
      .to=${argumentOf(this.panes, newPrefix) ?? ''}
      @accounts-changed=${this.#onAccounts}
      @conversation-selected=${this.#onConversationSelected}
    ></waggle-new-conversation>`;
  }

  #details(): TemplateResult {
    const { texts } = this.language;
    const type = this.data.conversations.get(this.conversation ?? '')?.type ?? 'dm';
    return html`<section class="aside pane" part="details" aria-label=${texts.details}>
      <header>
        <h2 class="grow">${type === 'dm' ? texts.profile : texts[type]}</h2>
        <button
          class="icon-button"
          aria-label=${texts.close}
          @click=${() => {
            this.#close('details');
          }}
        >
          ${icon('close')}
        </button>
      </header>
      ${this.#panels.details.show(
        html`<waggle-conversation-details
          .client=${this.usedClient}
          .conversation=${this.conversation ?? ''}
          @conversation-left=${this.#onConversationLeft}
        ></waggle-conversation-details>`,
        texts,
      )}
    </section>`;
  }

  /** The element exists before it has a text, so that screen readers announce the text. */
  #connectionNotice(): TemplateResult {
    const text = this.clientState.phase === 'ready' ? this.#connectionText() : nothing;
    return html`<div class=${text === nothing ? '' : 'notice'} role="status" dir="auto">${text}</div>`;
  }

  #connectionText(): TemplateResult | string | typeof nothing {
    const { texts } = this.language;
    const { connection, isOnline, retryReason } = this.clientState;
    if (!isOnline) return texts.offline;
    // The pause before the next attempt may take half a minute.
    if (connection !== 'connected') return html`${texts.reconnecting} ${this.retryButton()}`;
    if (retryReason !== undefined) return this.loadingText();
    return this.#dialogs.isMissing ? texts.notLoaded : nothing;
  }

  #onConversationSelected(event: CustomEvent<{ id: string }>): void {
    event.stopPropagation();
    this.#open(event.detail.id);
  }

  #onAccounts(event: CustomEvent<{ accounts: readonly string[] }>): void {
    event.stopPropagation();
    this.recipientCount = event.detail.accounts.length;
  }

  #onConversationLeft(event: Event): void {
    event.stopPropagation();
    this.#close('conversation');
  }

  #onAccountSelected(event: CustomEvent<{ account: string }>): void {
    event.stopPropagation();
    const { account } = event.detail;
    const id = this.live?.conversations.findDm(account);
    if (id === undefined) this.#show(newPrefix + account);
    else this.#open(id);
  }

  #onKey(event: KeyboardEvent): void {
    if (this.handleKey(event)) useKey(event);
  }

  /** Opens the other conversation above (-1) or below (1) the open one in the list. */
  #switchConversation(step: -1 | 1): void {
    const all = sortedConversations(this.data.conversations);
    const index = all.findIndex(({ id }) => id === this.conversation);
    const next = all[index === -1 ? 0 : index + step];
    if (next !== undefined) this.#open(next.id);
  }

  #onActionSelected(event: CustomEvent<{ action: PaletteAction }>): void {
    event.stopPropagation();
    const { action } = event.detail;
    if (action === 'shortcuts') void this.#dialogs.open(action, this.language.texts);
    else if (action === 'search') this.#openSearch('');
    else this.#show(action === 'new' ? newPrefix : action);
  }

  /** Shows a conversation, and puts the cursor into its field. */
  #open(id: string): void {
    this.#stack.show(withConversation(this.panes, id), this.#focused);
    void this.updateComplete.then(() => {
      // On a phone the keyboard would cover the messages.
      if (matchMedia('(hover: hover)').matches) this.opened?.focus();
    });
  }

  #showNew(): void {
    this.#show(newPrefix);
  }

  #onSearchRequested(event: CustomEvent<{ text: string }>): void {
    event.stopPropagation();
    this.#openSearch(event.detail.text);
  }

  /** Opens the search of messages, in one conversation or in all. */
  #openSearch(text: string, conversation = ''): void {
    this.searchText = text;
    this.#stack.show([...withoutPane(this.panes, 'search'), searchPrefix + conversation], this.#focused);
    const focus = async (): Promise<void> => {
      await this.#panels.search.load(this.language.texts);
      await this.updateComplete;
      this.#panels.search.element?.focus();
    };
    // The pane says why it is empty.
    focus().catch(() => undefined);
  }

  #onMessageSelected(event: CustomEvent<{ id: string; conversation: string }>): void {
    event.stopPropagation();
    const { id, conversation } = event.detail;
    this.#stack.show(withConversation(this.panes, conversation), this.#focused);
    void this.updateComplete.then(() => this.opened?.showMessage(id));
  }

  #showPeople(): void {
    this.#show('people');
  }

  #showMentions(): void {
    this.#show('mentions');
  }

  #show(pane: string): void {
    this.#stack.show([...this.panes, pane], this.#focused);
  }

  #close(kind: PaneKind): void {
    this.#stack.show(withoutPane(this.panes, kind));
  }

  /** Closes all panes but a conversation. */
  #showOnly(id: string | undefined): void {
    this.#stack.show(id === undefined ? [] : [conversationPrefix + id]);
  }

  #showForPage(panes: readonly string[]): void {
    this.#isChangedByPage = true;
    this.#stack.show(panes);
    this.#isChangedByPage = false;
  }

  #onPanesChange(opener: HTMLElement | undefined): void {
    const { conversation: id, panes } = this;
    const previous = this.#previous;
    this.#previous = id;
    const depth = panes.filter((pane) => !isOverlay(pane)).length;
    if (depth !== this.#depth) this.#direction = depth > this.#depth ? 'forward' : 'back';
    this.#depth = depth;
    this.#opener = opener;
    this.requestUpdate();
    this.requestUpdate('conversation', previous);
    if (this.#isChangedByPage) return;
    if (id !== previous) this.emit('conversation-selected', { id });
    this.emit('panes-changed', { panes });
  }

  /** What is shown if there is space for one pane. */
  get #topmost(): 'list' | 'main' | 'details' {
    const pane = this.panes.findLast((each) => !isOverlay(each));
    if (pane === undefined || viewOf(pane) !== undefined) return 'list';
    return this.#showsDetails && pane === 'details' ? 'details' : 'main';
  }

  get #showsDetails(): boolean {
    return this.panes.includes('details') && this.data.conversations.has(this.conversation ?? '');
  }

  get #name(): string {
    return this.name ?? this.clientState.config.name;
  }

  get #focused(): HTMLElement | undefined {
    let focused = this.shadowRoot?.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    return focused instanceof HTMLElement ? focused : undefined;
  }
}
