import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { AccountChecks } from '../client/account-checks';
import { matching } from '../elements/ranking';
import { accountIn, isPossibleAccount } from '../elements/account-form';
import { defineElement } from '../elements/define-element';
import { peoplePickerStyles } from './people-picker-styles';
import { isInputMethodKey, isUnusedEscape, useKey, verticalStep } from '../elements/page-keys';
import { WaggleElement } from '../elements/waggle-element';
import { avatar, avatarStyles } from '../theme/avatar';
import { icon } from '../theme/icons';
import { panelStyles } from '../theme/panel';
import { knownPeople } from './known-people';

/** Beyond these, the user types more letters. */
const maxSuggestions = 50;

const separators = /[\s,;]+/;

/**
 * A field for accounts, with suggestions. Each chosen account is a chip in the field.
 *
 * @fires accounts-changed - `detail.accounts` are the accounts that are chosen now
 * @fires accounts-complete - the user has pressed Enter after the last account
 */
@defineElement('waggle-people-picker')
export class WagglePeoplePicker extends WaggleElement {
  static override styles = [...WaggleElement.styles, avatarStyles, panelStyles, peoplePickerStyles];

  /** The accounts that are chosen. */
  @property({ attribute: false }) accounts: readonly string[] = [];

  /** Why the accounts, or one of them, were rejected. */
  @property({ attribute: false }) failure: { text: string; account: string | undefined } | undefined;

  @state() private text = '';
  /** Index of the suggestion that Enter chooses; -1 for none. */
  @state() private active = -1;
  /** What screen readers announce. */
  @state() private notice = '';
  @query('input') private readonly field!: HTMLInputElement;

  readonly #checks = new AccountChecks(
    async (account, signal) => this.live?.chat.api.accountExists(account, signal),
    () => {
      this.requestUpdate();
    },
  );

  override focus(): void {
    void this.updateComplete.then(() => {
      this.field.focus();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#checks.run(new Set());
  }

  /** Chooses the account whose name is typed. @returns whether all chosen accounts may exist */
  commit(): boolean {
    this.#add(accountsIn(this.text));
    return this.accounts.every((account) => this.#problemOf(account) === undefined);
  }

  protected override restoreFocus(): void {
    this.field.focus();
  }

  protected override willUpdate(): void {
    super.willUpdate();
    const { friends, others } = knownPeople(this.data);
    const known = new Set([...friends, ...others, this.data.account]);
    const entered = [...this.accounts, accountIn(this.text)];
    this.#checks.run(new Set(entered.filter((account) => isPossibleAccount(account) && !known.has(account))));
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('active')) this.renderRoot.querySelector('.active')?.scrollIntoView({ block: 'nearest' });
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const error = this.#error();
    const groups = this.#suggestions();
    const options = groups.flatMap(({ accounts }) => accounts);
    const active = options[this.active];
    return html`<div class="field" @click=${this.#onClick}>
        <label for="to">${texts.recipients}</label>
        ${repeat(
          this.accounts,
          (account) => account,
          (account) => this.#chip(account),
        )}
        <input
          id="to"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded=${options.length > 0}
          aria-controls="suggestions"
          aria-activedescendant=${active === undefined ? nothing : idOf(active)}
          aria-invalid=${error === undefined ? nothing : 'true'}
          aria-describedby=${error === undefined ? nothing : 'error'}
          autocapitalize="none"
          autocomplete="off"
          enterkeyhint="next"
          spellcheck="false"
          placeholder=${this.accounts.length === 0 ? texts.account : nothing}
          .value=${this.text}
          @input=${this.#onInput}
          @keydown=${this.#onKey}
          @blur=${this.commit}
        />
      </div>
      ${error === undefined ? nothing : html`<p id="error" class="error small" role="alert">${error}</p>`}
      ${
        error !== undefined || this.accounts.length > 0 || options.length === 0
          ? nothing
          : html`<p class="muted">${texts.recipientsHint}</p>`
      }
      ${
        options.length === 0
          ? html`<div class="empty suggestions" role="status">${this.#emptyText()}</div>`
          : html`<div
              id="suggestions"
              class="suggestions"
              role="listbox"
              aria-multiselectable="true"
              aria-label=${texts.people}
              @mousedown=${keepFocus}
            >
              ${groups.map(({ title, accounts }) => this.#group(title, accounts, active))}
            </div>`
      }
      <div class="visually-hidden" role="status">${this.notice}</div>`;
  }

  #chip(account: string): TemplateResult {
    const label = this.language.texts.removeRecipient(account);
    return html`<button
      class="chip ${this.#problemOf(account) === undefined ? '' : 'invalid'}"
      type="button"
      aria-label=${label}
      title=${label}
      @click=${() => {
        this.#remove(account);
      }}
    >
      <span class="ellipsis">${account}</span>${icon('close', 16)}
    </button>`;
  }

  #group(title: string, accounts: readonly string[], active: string | undefined): TemplateResult | typeof nothing {
    if (accounts.length === 0) return nothing;
    return html`<div role="group" aria-label=${title}>
      <div class="heading" aria-hidden="true">${title}</div>
      ${accounts.map((account) => this.#option(account, account === active))}
    </div>`;
  }

  #option(account: string, isActive: boolean): TemplateResult {
    const isChosen = this.accounts.includes(account);
    const isOnline = this.data.online.has(account);
    const hint = isOnline ? this.language.texts.online : this.#checkText(account);
    return html`<div
      id=${idOf(account)}
      class="entry ${isActive ? 'active' : ''}"
      role="option"
      aria-selected=${isChosen}
      @click=${() => {
        this.#toggle(account);
      }}
    >
      ${avatar(account, { pattern: this.clientState.config.avatars, isOnline })}
      <span class="grow">
        <div class="ellipsis">${account}</div>
        ${hint === undefined ? nothing : html`<div class="muted">${hint}</div>`}
      </span>
      ${isChosen ? icon('check', 16) : nothing}
    </div>`;
  }

  /** What is known about an account that is no friend or acquaintance. */
  #checkText(account: string): string | undefined {
    const { texts } = this.language;
    if (this.#checks.isRunning(account)) return texts.checking;
    return this.#checks.resultOf(account) === true ? texts.accountOnHive : undefined;
  }

  /** Friends, others, and the name that is typed, unless it is missing on the chain. */
  #suggestions(): { title: string; accounts: string[] }[] {
    const { texts } = this.language;
    const typed = accountIn(this.text);
    const { friends, others } = knownPeople(this.data);
    const found = [friends, others].map((names) => matching(names, typed, (name) => name).slice(0, maxSuggestions));
    const [foundFriends = [], foundOthers = []] = found;
    const isNew = isPossibleAccount(typed) && typed !== this.data.account && !found.flat().includes(typed);
    return [
      { title: texts.friends, accounts: foundFriends },
      { title: texts.recentPeople, accounts: foundOthers },
      { title: texts.account, accounts: isNew && this.#checks.resultOf(typed) !== false ? [typed] : [] },
    ];
  }

  #emptyText(): string {
    const { texts } = this.language;
    const typed = accountIn(this.text);
    if (typed === '') return texts.recipientsHint;
    return (isPossibleAccount(typed) ? this.#problemOf(typed) : undefined) ?? texts.noMatches(this.text);
  }

  /** Why an account cannot be chosen. */
  #problemOf(account: string): string | undefined {
    if (account === this.data.account) return this.language.texts.ownAccount;
    if (!isPossibleAccount(account) || this.#checks.resultOf(account) === false) {
      return this.errorTextOf('account-not-found', account);
    }
    return this.failure?.account === account ? this.failure.text : undefined;
  }

  #error(): string | undefined {
    const problems = this.accounts.map((account) => this.#problemOf(account));
    return problems.find((problem) => problem !== undefined) ?? this.failure?.text;
  }

  #toggle(account: string): void {
    if (this.accounts.includes(account)) this.#remove(account);
    else this.#add([account]);
  }

  #add(accounts: readonly string[]): void {
    this.#enter('');
    const added = accounts.filter((account) => !this.accounts.includes(account));
    if (added.length === 0) return;
    const { texts, formats } = this.language;
    this.#change([...this.accounts, ...added], texts.recipientAdded(formats.list(added)));
  }

  #remove(account: string): void {
    this.#change(
      this.accounts.filter((each) => each !== account),
      this.language.texts.recipientRemoved(account),
    );
  }

  #change(accounts: readonly string[], notice: string): void {
    this.accounts = accounts;
    this.notice = notice;
    this.emit('accounts-changed', { accounts });
  }

  #enter(text: string): void {
    // While accounts are chosen by arrow keys, the list stays as it is.
    if (text === this.text) return;
    this.text = text;
    this.active = text === '' ? -1 : 0;
  }

  #onInput(event: InputEvent): void {
    const { value } = this.field;
    const entered = event.isComposing ? [value] : value.split(separators);
    const rest = entered.pop() ?? '';
    this.#add(accountsIn(entered.join(' ')));
    this.#enter(rest);
    // Lit writes no value that it wrote before.
    this.field.value = rest;
  }

  #onKey(event: KeyboardEvent): void {
    const { key } = event;
    if (isInputMethodKey(event)) return;
    const options = this.#suggestions().flatMap(({ accounts }) => accounts);
    const step = verticalStep(event);
    if (step !== 0 && options.length > 0) {
      event.preventDefault();
      const from = this.active === -1 && step === -1 ? 0 : this.active;
      this.active = (from + step + options.length) % options.length;
    } else if (key === 'Enter') {
      event.preventDefault();
      const option = options[this.active];
      if (option !== undefined) {
        this.#toggle(option);
        this.#enter('');
      } else if (this.text === '') this.emit('accounts-complete');
      else this.commit();
    } else if (key === 'Backspace' && this.text === '') {
      const last = this.accounts.at(-1);
      if (last !== undefined) this.#remove(last);
    } else if (this.text !== '' && isUnusedEscape(event)) {
      useKey(event);
      this.#enter('');
    }
  }

  #onClick(event: Event): void {
    if (event.target === event.currentTarget) this.field.focus();
  }
}

/** The accounts in a text, separated by spaces, commas or semicolons. */
export function accountsIn(text: string): string[] {
  const accounts = text.split(separators).map(accountIn);
  return [...new Set(accounts)].filter((account) => account !== '');
}

/** A click beside the field must not take the focus from it: the keyboard of a phone would close. */
function keepFocus(event: Event): void {
  event.preventDefault();
}

function idOf(account: string): string {
  return `option-${account}`;
}
