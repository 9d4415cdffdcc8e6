import { html, type nothing, type TemplateResult } from 'lit';

interface AccountFormOptions {
  /** Id of the field. */
  id: string;
  label: string;
  placeholder: string;
  /** Text of the button. */
  action: string;
  isPrimary?: boolean;
  isBusy: boolean;
  error: TemplateResult | typeof nothing;
  /** @returns whether it succeeded: the field is emptied */
  onAccount: (account: string) => Promise<boolean>;
}

/** A form for the name of one account. */
export function accountForm(options: AccountFormOptions): TemplateResult {
  const { id, label, placeholder, action, isPrimary = false, isBusy, error, onAccount } = options;
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
  return html`<form @submit=${onSubmit}>
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
      <button class=${isPrimary ? 'button primary' : 'button'} ?disabled=${isBusy}>${action}</button>
    </div>
    ${error}
  </form>`;
}

/** The account that a user means, such as `alice` by ` @Alice`. */
export function accountIn(text: string): string {
  return text.trim().toLowerCase().replace(/^@/, '');
}
