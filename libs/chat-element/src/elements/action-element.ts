import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { errorCodeOf } from '../client/error-code';
import { isPossibleAccount } from './account-form';
import { icon } from '../theme/icons';
import { WaggleElement } from './waggle-element';

/** Why an action failed. */
interface Failure {
  /** The id of the field, button or entry where it is shown. */
  at: string;
  text: string;
  /** Undefined if the input is invalid. */
  code: string | undefined;
  /** The account that caused it, if it is known. */
  account: string | undefined;
}

/** The id of the field, button or entry where an error is shown, or a function that chooses it by the error's code. */
export type ErrorTarget = string | ((code: string | undefined) => string);

export interface AttemptOptions {
  /** The accounts that the action is about: errors name them. */
  accounts?: readonly string[];
  /** Texts for codes that mean something else here. */
  texts?: Partial<Record<string, string>>;
}

/** How long a report without a button is shown. */
const outcomeMs = 5_000;

/** An action that cannot be done, for a reason that is known before it is tried. */
export class InvalidInput extends Error {}

/**
 * An element with actions that take a moment and may fail. It renders `errorAt(id)` next to the field or button with
 * that id. If the failed action names a field, the field is marked as invalid and gets the focus.
 */
export class ActionElement extends WaggleElement {
  @state() protected isBusy = false;
  @state() protected failure: Failure | undefined;
  /** What the last action did, and how to undo it. */
  @state() protected outcome: { text: string; undo: (() => void) | undefined } | undefined;
  /** The field that is marked as invalid, and its description without the error. */
  #invalid: { field: Element; description: string | null } | undefined;

  constructor() {
    super();
    // The error no longer describes what is in the field.
    this.addEventListener('input', (event) => {
      if (event.composedPath()[0] === this.#invalid?.field) this.failure = undefined;
    });
  }

  /** Performs an action, and shows why it failed. @returns whether it succeeded */
  protected async attempt(
    target: ErrorTarget,
    action: () => Promise<unknown>,
    options: AttemptOptions = {},
  ): Promise<boolean> {
    const focused = this.shadowRoot?.activeElement;
    this.isBusy = true;
    this.failure = undefined;
    this.outcome = undefined;
    try {
      await action();
      return true;
    } catch (error) {
      const failure = this.#failureOf(error, options);
      // Without the former error first, so that screen readers announce a repeated one.
      await this.updateComplete;
      this.failure = { ...failure, at: typeof target === 'string' ? target : target(failure.code) };
      return false;
    } finally {
      this.isBusy = false;
      void this.updateComplete.then(() => {
        this.#focusAfter(focused);
      });
    }
  }

  /** Says what an action did: for a moment, or with a button to undo it until the next action. */
  protected report(text: string, undo?: () => void): void {
    const outcome = { text, undo };
    this.outcome = outcome;
    if (undo !== undefined) return;
    setTimeout(() => {
      if (this.outcome === outcome) this.outcome = undefined;
    }, outcomeMs);
  }

  protected override update(changed: PropertyValues<this>): void {
    super.update(changed);
    this.#updateInvalid();
  }

  /** Also true for the button that started an action: it is disabled until the action is done. */
  protected override hasLost(focused: Element): boolean {
    return super.hasLost(focused) || focused.matches(':disabled');
  }

  /** Takes the focus itself during an action, because the button that started it is disabled. */
  protected override restoreFocus(): void {
    if (!this.isBusy) {
      super.restoreFocus();
      return;
    }
    this.tabIndex = -1;
    // Subclasses override `focus`.
    HTMLElement.prototype.focus.call(this);
  }

  /** A button that starts an action, on an account if there is one. Its errors are shown at `at`. */
  protected actionButton(
    at: string,
    text: string,
    action: () => Promise<unknown> | undefined,
    { account, isPrimary = false }: { account?: string; isPrimary?: boolean } = {},
  ): TemplateResult {
    return html`<button
      class=${isPrimary ? 'button primary' : 'button'}
      aria-label=${account === undefined ? text : `${text}: ${account}`}
      ?disabled=${this.isBusy}
      @click=${() => void this.attempt(at, async () => action(), { accounts: account === undefined ? [] : [account] })}
    >
      ${text}
    </button>`;
  }

  /** A button that shows the rest of a list. @param count how many entries there are, if that is known */
  protected showAllButton(count: number | undefined, onClick: () => void): TemplateResult {
    const { texts, formats } = this.language;
    return html`<button class="entry" ?disabled=${this.isBusy} @click=${onClick}>
      ${icon('down')} ${texts.showAll} ${count === undefined ? nothing : `(${formats.number(count)})`}
    </button>`;
  }

  /** The error of the last action, if it is shown at the element with this id. */
  protected errorAt(id: string): TemplateResult | typeof nothing {
    if (this.failure?.at !== id) return nothing;
    return html`<p id=${errorIdOf(id)} class="error" role="alert">${this.failure.text}</p>`;
  }

  /** The element exists before it has a text, so that screen readers announce the text. */
  protected outcomeNotice(): TemplateResult {
    const { outcome } = this;
    const content =
      outcome === undefined
        ? nothing
        : html`<span class="grow">${outcome.text}</span> ${
              outcome.undo === undefined
                ? nothing
                : html`<button class="button" ?disabled=${this.isBusy} @click=${outcome.undo}>
                    ${this.language.texts.undo}
                  </button>`
            }`;
    return html`<div class="outcome" role="status">${content}</div>`;
  }

  #failureOf(error: unknown, { accounts = [], texts = {} }: AttemptOptions): Omit<Failure, 'at'> {
    if (error instanceof InvalidInput) return { text: error.message, code: undefined, account: undefined };
    const code = errorCodeOf(error);
    const account = accountOf(error, accounts);
    return { text: texts[code] ?? this.errorTextOf(code, account), code, account };
  }

  /** Marks the field of the failure as invalid. */
  #updateInvalid(): void {
    const { failure } = this;
    const control = failure === undefined ? null : (this.shadowRoot?.getElementById(failure.at) ?? null);
    const field = control?.matches('input, textarea') === true ? control : undefined;
    if (field === this.#invalid?.field) return;
    this.#unmark();
    if (field !== undefined && failure !== undefined) this.#mark(field, errorIdOf(failure.at));
  }

  #unmark(): void {
    if (this.#invalid === undefined) return;
    const { field, description } = this.#invalid;
    this.#invalid = undefined;
    field.removeAttribute('aria-invalid');
    if (description === null) field.removeAttribute('aria-describedby');
    else field.setAttribute('aria-describedby', description);
  }

  #mark(field: Element, errorId: string): void {
    const description = field.getAttribute('aria-describedby');
    this.#invalid = { field, description };
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-describedby', `${description ?? ''} ${errorId}`.trim());
  }

  /** Shows the error, and puts the focus on its field; otherwise where it was before the action. */
  #focusAfter(focused: Element | null | undefined): void {
    const { failure } = this;
    if (failure !== undefined) {
      this.shadowRoot?.getElementById(errorIdOf(failure.at))?.scrollIntoView({ block: 'nearest' });
    }
    const active = this.shadowRoot?.activeElement ?? null;
    const hostHasFocus = this.matches(':focus') && active === null;
    // A user who works elsewhere meanwhile keeps the focus there.
    const isWaiting =
      hostHasFocus || document.activeElement === document.body || (active !== null && active === focused);
    const field = failure !== undefined && isWaiting ? this.#invalid?.field : undefined;
    const target = field ?? (hostHasFocus ? focused : active);
    // Tab leaves out everything in an element with a negative index. Chromium takes the focus from what is in the
    // element when its index is removed: set the focus afterwards.
    this.removeAttribute('tabindex');
    if (target instanceof HTMLElement && target.isConnected) target.focus();
    else if (hostHasFocus) this.restoreFocus();
  }
}

/** Which of the accounts of an action an error is about; undefined if that is not known. */
function accountOf(error: unknown, accounts: readonly string[]): string | undefined {
  const [only, ...others] = accounts;
  if (others.length === 0) return only;
  const message = error instanceof Error ? error.message : '';
  // The message of the service names an account that does not exist, but not a name that no account can have.
  return (
    accounts.find((account) => message.startsWith(`${account} `) || message.endsWith(` ${account}`)) ??
    accounts.find((account) => !isPossibleAccount(account))
  );
}

function errorIdOf(id: string): string {
  return `${id}-error`;
}
