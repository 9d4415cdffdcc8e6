import { createClientId } from '@waggle/client/browser';
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { charactersLeft } from '../text/characters';
import { isRecord } from '../client/browser-storage';
import type { LiveChat } from '../client/live-chat';
import { lengthNotice, lengthText } from '../elements/length-notice';
import { defineElement } from '../elements/define-element';
import { ActionElement, InvalidInput } from '../elements/action-element';
import '../people/waggle-people-picker';
import { accountsIn, type WagglePeoplePicker } from '../people/waggle-people-picker';
import { panelStyles } from '../theme/panel';
import { channelsArgument } from '../panes';
import './waggle-channels';

const draftKey = 'new-conversation';

/** Codes of errors that the recipients cause. */
const ofRecipients: ReadonlySet<string> = new Set([
  'account-not-found',
  'blocked',
  'friends-only',
  'forbidden',
  'too-large',
]);

const tabs = ['people', 'channels'] as const;

/**
 * Begins a dm or a group with the people that the user picks, and shows channels.
 *
 * @fires conversation-selected - `detail.id` is the conversation to show
 */
@defineElement('waggle-new-conversation')
export class WaggleNewConversation extends ActionElement {
  static override styles = [
    ...ActionElement.styles,
    panelStyles,
    css`
      :host {
        gap: 12px;
        padding-block-start: 4px;
      }

      [role='tabpanel'],
      form {
        display: flex;
        flex: 1;
        flex-direction: column;
        min-height: 0;
      }

      waggle-people-picker {
        flex: 1;
        min-height: 160px;
      }

      textarea.field {
        height: calc(3.75 * var(--_rem));
        resize: none;
      }

      .footer {
        display: grid;
        flex: none;
        gap: 8px;
        padding: 12px 16px 0;
        margin-inline: -16px;
        border-block-start: 1px solid var(--_border);
      }

      p:empty {
        display: none;
      }
    `,
  ];

  /** Accounts to begin with, separated by spaces; or `#` to show channels. */
  @property() to = '';

  @state() private tab: (typeof tabs)[number] = 'people';
  /** The draft: it survives a reload. */
  @state() private accounts: readonly string[] = [];
  @state() private name = '';
  @state() private text = '';
  /** A group that was created, but could not be named. */
  @state() private unnamed: string | undefined;

  @query('waggle-people-picker') private readonly picker!: WagglePeoplePicker;
  @query('#text') private readonly textField!: HTMLTextAreaElement | null;

  protected override willUpdate(changed?: PropertyValues<this>): void {
    super.willUpdate();
    if (changed?.has('to') !== true) return;
    this.tab = this.to === channelsArgument ? 'channels' : 'people';
    this.accounts = this.tab === 'people' ? accountsIn(this.to) : [];
  }

  /** The title depends on their number. */
  protected override updated(changed: PropertyValues): void {
    if (changed.has('accounts')) this.emit('accounts-changed', { accounts: this.accounts });
  }

  protected override firstUpdated(): void {
    const draft = this.live?.storage.read(draftKey);
    if (isRecord(draft) && typeof draft['to'] === 'string' && typeof draft['text'] === 'string') {
      if (this.to === '' || this.to === draft['to']) {
        this.accounts = accountsIn(draft['to']);
        this.text = draft['text'];
        if (typeof draft['name'] === 'string') this.name = draft['name'];
      }
    }
    if (this.tab === 'channels') return;
    // On a phone the keyboard would cover the suggestions.
    if (!matchMedia('(hover: hover)').matches) return;
    if (this.accounts.length === 0) this.picker.focus();
    else void this.updateComplete.then(() => this.textField?.focus());
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const titles = { people: texts.people, channels: texts.channels };
    return html`<div class="segments" role="tablist" aria-label=${texts.newConversation} @keydown=${this.#onTabKey}>
        ${tabs.map(
          (tab) =>
            html`<button
              id=${tab}
              class="segment"
              role="tab"
              aria-selected=${tab === this.tab}
              aria-controls="panel"
              tabindex=${tab === this.tab ? 0 : -1}
              @click=${() => {
                this.tab = tab;
              }}
            >
              ${titles[tab]}
            </button>`,
        )}
      </div>
      <div id="panel" role="tabpanel" aria-labelledby=${this.tab}>
        ${this.tab === 'people' ? this.#people() : html`<waggle-channels .client=${this.usedClient}></waggle-channels>`}
      </div>`;
  }

  #people(): TemplateResult {
    const { texts } = this.language;
    const { accounts, text, unnamed } = this;
    return html`<form novalidate @submit=${this.#onSubmit}>
      ${
        unnamed === undefined
          ? html`<waggle-people-picker
              .client=${this.usedClient}
              .accounts=${accounts}
              .failure=${this.failure?.at === 'to' ? this.failure : undefined}
              @accounts-changed=${this.#onAccounts}
              @accounts-complete=${(event: Event) => {
                event.stopPropagation();
                this.textField?.focus();
              }}
            ></waggle-people-picker>`
          : html`<p>${texts.groupUnnamed}</p>`
      }
      ${accounts.length === 0 && text === '' ? nothing : html`<div class="footer">${this.#message()}</div>`}
    </form>`;
  }

  /** What the button at the end does. */
  #buttonText(): string {
    const { texts } = this.language;
    if (this.isBusy) return texts.sending;
    if (this.unnamed !== undefined) return texts.save;
    if (this.accounts.length > 1) return texts.createGroup;
    return this.text === '' && this.#dm !== undefined ? texts.openConversation : texts.send;
  }

  /** What follows when somebody is picked. */
  #message(): TemplateResult {
    const { texts } = this.language;
    const { accounts, text, unnamed } = this;
    const dm = this.#dm;
    const isGroup = accounts.length > 1;
    return html`${
        isGroup
          ? html`<label>
                ${texts.groupName}
                <input
                  id="name"
                  class="field"
                  dir="auto"
                  maxlength="64"
                  autocomplete="off"
                  .value=${this.name}
                  @input=${this.#onInput}
                />
              </label>
              ${this.errorAt('name')}`
          : nothing
      }
      ${
        unnamed === undefined
          ? html`<p class="muted" role="status">${dm === undefined ? nothing : texts.dmExists(accounts[0] ?? '')}</p>
              <label>
                ${texts.firstMessage}
                <textarea
                  id="text"
                  class="field"
                  dir=${text === '' ? nothing : 'auto'}
                  ?required=${dm === undefined}
                  .value=${text}
                  @input=${this.#onInput}
                ></textarea>
              </label>
              ${this.failure?.at === 'text' ? this.errorAt('text') : lengthNotice(text, this.language)}`
          : nothing
      }
      <button class="button primary" ?disabled=${this.isBusy}>${this.#buttonText()}</button>
      ${this.errorAt('send')}`;
  }

  /** The dm with the only account, if there is one. */
  get #dm(): string | undefined {
    const [only, ...others] = this.accounts;
    if (only === undefined || only === this.data.account || others.length > 0) return undefined;
    return this.live?.conversations.findDm(only);
  }

  #onTabKey(event: KeyboardEvent): void {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    // There are two.
    this.tab = this.tab === 'people' ? 'channels' : 'people';
    this.shadowRoot?.getElementById(this.tab)?.focus();
  }

  #onAccounts(event: CustomEvent<{ accounts: readonly string[] }>): void {
    event.stopPropagation();
    this.accounts = event.detail.accounts;
    const { failure } = this;
    // Another account may still be the reason.
    if (failure?.at === 'to' && !this.accounts.includes(failure.account ?? '')) this.failure = undefined;
    this.#saveDraft();
  }

  #onInput({ currentTarget: field }: Event): void {
    if (field instanceof HTMLInputElement) this.name = field.value;
    if (field instanceof HTMLTextAreaElement) this.text = field.value;
    this.#saveDraft();
  }

  #saveDraft(): void {
    const { accounts, name, text } = this;
    if (text === '') this.live?.storage.remove(draftKey);
    else this.live?.storage.write(draftKey, { to: accounts.join(' '), name, text });
  }

  #onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    const { live, picker } = this;
    if (live === undefined) return;
    // What is still typed is an account, too. The picker shows what is wrong with it.
    if (this.unnamed !== undefined || picker.commit()) void this.#submit(live);
    else picker.focus();
  }

  async #submit(live: LiveChat): Promise<void> {
    const { accounts } = this;
    const dm = this.#dm;
    const { texts } = this.language;
    const text = this.text.trim();
    const name = this.name.trim();
    const textError = this.#textErrorOf(text);
    let id = this.unnamed ?? dm;
    const begin = async (): Promise<void> => {
      if (accounts.length === 0) throw new InvalidInput(texts.recipientsHint);
      if (textError !== undefined) throw new InvalidInput(textError);
      if (dm !== undefined && text !== '') {
        live.storage.remove(draftKey);
        live.messages.send(dm, text);
      }
      id ??= await this.#begin(live, accounts, text);
      if (accounts.length < 2 || name === '') return;
      this.unnamed = id;
      await live.chat.rename(id, name);
    };
    const placeOf = (code: string | undefined): string => {
      if (this.unnamed !== undefined) return 'name';
      if (accounts.length > 0 && code === undefined) return 'text';
      return code === undefined || ofRecipients.has(code) ? 'to' : 'send';
    };
    const options = { accounts, texts: { 'too-large': texts.tooManyMembers } };
    if (await this.attempt(placeOf, begin, options)) this.emit('conversation-selected', { id });
    else if (this.failure?.at === 'to') this.picker.focus();
  }

  /** Why a text cannot be the first message. A dm that exists needs none. */
  #textErrorOf(text: string): string | undefined {
    if (this.unnamed !== undefined) return undefined;
    if (text === '') return this.#dm === undefined ? this.language.texts.firstMessageMissing : undefined;
    const left = charactersLeft(text);
    return left < 0 ? lengthText(left, this.language) : undefined;
  }

  /** @returns the id of the conversation */
  async #begin(live: LiveChat, accounts: readonly string[], text: string): Promise<string> {
    const clientId = createClientId();
    // From here on the outbox keeps the text.
    live.storage.remove(draftKey);
    try {
      return await live.messages.begin(clientId, accounts, text);
    } catch (error) {
      // Otherwise the message is shown as failed.
      if (this.isConnected) {
        live.messages.discard(clientId);
        this.#saveDraft();
      }
      throw error;
    }
  }
}
