import { type CSSResult, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { sharedClient, type ChatClient } from '../client/chat-client';
import type { ClientState } from '../client/client-state';
import type { LiveChat } from '../client/live-chat';
import { errorText, languageOf, languageOfElement, loadLanguage, type Language } from '../i18n/texts';
import type { ChatData } from '../store/chat-data';
import { controls } from '../theme/controls';
import { theme } from '../theme/theme';
import { stopUnlessForPage } from './page-keys';
import { cancelRender, scheduleRender } from './render-schedule';

/**
 * On an element that a server rendered, until a framework sets its properties. Otherwise, it would start a client of
 * the page's origin.
 */
const hydrationAttribute = 'defer-hydration';

/**
 * The base of all elements: renders the state of a client when it changes. An element that is used by itself
 * names its service with `server`; inside `<waggle-chat>` it gets the client.
 */
export class WaggleElement extends LitElement {
  static override styles: CSSResult[] = [theme, controls];

  /** Base URL of the chat service; the origin of the page by default. */
  @property() server = '';

  /** `light` or `dark`; by default what the user chooses in the settings, at first the system's. */
  @property({ reflect: true }) theme: 'light' | 'dark' | undefined;

  /** The client to use instead of the one for `server`. */
  @property({ attribute: false }) client: ChatClient | undefined;

  #subscribed: ChatClient | undefined;
  #unsubscribe: (() => void) | undefined;
  #account = '';
  /** Set while the element waits for its properties. */
  #hydrated: (() => void) | undefined;
  readonly #render = () => {
    this.requestUpdate();
  };
  /**
   * Stops typing at the outermost element. The page sees that element as the target, not a field, and would take
   * letters for its shortcuts.
   */
  readonly #onKey = (event: Event) => {
    const root = this.getRootNode();
    const isInside = root instanceof ShadowRoot && root.host instanceof WaggleElement;
    if (!isInside) stopUnlessForPage(event);
  };
  /** Found once per update. */
  #language: Language | undefined;
  readonly #states = this.attachInternals().states;

  constructor() {
    super();
    for (const type of ['keydown', 'keypress', 'keyup'] as const) this.addEventListener(type, this.#onKey);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe?.();
    this.#subscribed = undefined;
    cancelRender(this.#render);
  }

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, hydrationAttribute];
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value);
    if (name === hydrationAttribute && value === null) this.#hydrated?.();
  }

  /** Renders nothing before its page is hydrated and the texts of its language are loaded. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasAttribute(hydrationAttribute)) await new Promise<void>((resolve) => (this.#hydrated = resolve));
    const loading = loadLanguage(languageOfElement(this));
    if (loading !== undefined) await loading;
    await super.scheduleUpdate();
  }

  protected override willUpdate(): void {
    this.#language = undefined;
    const client = this.usedClient;
    this.#states.clear();
    for (const choice of Object.values(this.clientState.appearance)) this.#states.add(choice);
    this.style.setProperty('--_operator', this.clientState.config.accent ?? '');
    const { account } = this.data;
    if (account !== this.#account) {
      this.#account = account;
      this.onAccountChange();
    }
    if (client === this.#subscribed || !this.isConnected) return;
    this.#unsubscribe?.();
    this.#subscribed = client;
    this.#unsubscribe = client.store.subscribe(() => {
      this.onStateChange();
      scheduleRender(this.#render);
    });
    this.onStateChange();
  }

  protected override update(changed: PropertyValues<this>): void {
    const focused = this.shadowRoot?.activeElement ?? undefined;
    super.update(changed);
    // Without a new focus, the keyboard would start at the top of the page.
    if (focused !== undefined && this.hasLost(focused)) this.restoreFocus();
  }

  /** Whether the element that had the focus can no longer have it. */
  protected hasLost(focused: Element): boolean {
    return !focused.isConnected;
  }

  protected restoreFocus(): void {
    this.renderRoot.querySelector<HTMLElement>('button:enabled, input:enabled')?.focus();
  }

  /** Forgets what belongs to the previous account. A hidden tab renders nothing between the two accounts. */
  protected onAccountChange(): void {
    // Most elements keep nothing.
  }

  /** Called with each state, also in a hidden tab, which renders nothing. */
  protected onStateChange(): void {
    // Most elements only render.
  }

  protected get usedClient(): ChatClient {
    return this.client ?? sharedClient(this.server === '' ? location.origin : this.server);
  }

  protected get clientState(): ClientState {
    return this.usedClient.store.state;
  }

  protected get data(): ChatData {
    return this.clientState.data;
  }

  protected get live(): LiveChat | undefined {
    return this.usedClient.live;
  }

  protected get language(): Language {
    return (this.#language ??= languageOf(languageOfElement(this)));
  }

  /** Shows the shapes of the data that is loading, or says why it cannot be loaded yet. */
  protected loading(skeleton: TemplateResult): TemplateResult {
    const isLoading = this.clientState.retryReason === undefined;
    return html`<div class=${isLoading ? 'visually-hidden' : 'empty'} role="status">${this.loadingText()}</div>
      ${isLoading ? skeleton : nothing}`;
  }

  /** Says that the data is loading, or why it cannot be loaded yet. */
  protected loadingText(): TemplateResult | string {
    const { retryReason } = this.clientState;
    if (retryReason === undefined) return this.language.texts.loading;
    return html`${this.errorTextOf(retryReason)} ${this.retryButton()}`;
  }

  protected retryButton(): TemplateResult {
    const retry = (): void => {
      this.usedClient.retry();
    };
    return html`<button class="button" @click=${retry}>${this.language.texts.retry}</button>`;
  }

  /** @param account the account that the error is about */
  protected errorTextOf(code: string, account?: string): string {
    return errorText(this.language.texts, code, account);
  }

  protected emit(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
