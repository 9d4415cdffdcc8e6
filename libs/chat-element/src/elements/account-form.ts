import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../theme/icons';
import { isUnusedEscape, useKey } from './page-keys';

interface AccountFormOptions {
  /** Id of the field. */
  id: string;
  label: string;
  placeholder: string;
  /** Text of the button. */
  action: string;
  isBusy: boolean;
  error: TemplateResult | typeof nothing;
  /** @returns whether it succeeded: the field is emptied */
  onAccount: (account: string) => Promise<boolean>;
  /** Of a form that can be closed: by a button with this label, and by Escape. */
  cancel?: { label: string; onCancel: () => void };
}

/** A form for the name of one account. */
export function accountForm(options: AccountFormOptions): TemplateResult {
  const { id, label, placeholder, action, isBusy, error, onAccount, cancel } = options;
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    const account = new FormData(form).get('account');
    if (typeof account !== 'string') return;
    void onAccount(accountIn(account)).then((isDone) => {
      if (isDone) form.reset();
    });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (cancel === undefined || !isUnusedEscape(event)) return;
    useKey(event);
    cancel.onCancel();
  };
  return html`<form @submit=${onSubmit} @keydown=${onKey}>
    <label for=${id}>${label}</label>
    <div class="row">
      <input
        id=${id}
        class="field"
        name="account"
        required
        autocapitalize="none"
        autocomplete="off"
        spellcheck="false"
        placeholder=${placeholder}
      />
      <button class="button" ?disabled=${isBusy}>${action}</button>
      ${
        cancel === undefined
          ? nothing
          : html`<button class="icon-button" type="button" aria-label=${cancel.label} @click=${cancel.onCancel}>
              ${icon('close')}
            </button>`
      }
    </div>
    ${error}
  </form>`;
}

/** The account that a user means, such as `alice` by ` @Alice`. */
export function accountIn(text: string): string {
  return text.trim().toLowerCase().replace(/^@/, '');
}

/** Whether an account may have this name. */
export function isPossibleAccount(name: string): boolean {
  return /^[a-z][a-z0-9.-]{1,14}[a-z0-9]$/.test(name);
}
