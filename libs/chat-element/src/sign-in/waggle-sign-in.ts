import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import { ActionElement } from '../shell/action-element';
import { avatar, avatarStyles } from '../theme/avatar';
import { findKeychain } from './keychain';
import { keyMethod } from './key';
import type { SignInMethod } from './sign-in-method';

/** Signs an account in by a wallet; on a devnet also by a key or with one click. */
@customElement('waggle-sign-in')
export class WaggleSignIn extends ActionElement {
  static override styles = [
    ...ActionElement.styles,
    avatarStyles,
    css`
      :host {
        display: grid;
        place-items: center;
        min-height: 100%;
        padding: 24px 16px;
        background: var(--_canvas);
        overflow: auto;
      }

      .card {
        display: grid;
        gap: 16px;
        width: min(400px, 100%);
        padding: 32px 24px;
        border: 1px solid var(--_border);
        border-radius: var(--_radius);
        background: var(--_surface);
      }

      h1 {
        font-size: 22px;
      }

      form {
        display: grid;
        gap: 16px;
      }

      .accounts {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(140px, 1fr));
        gap: 8px;
      }

      .accounts .button {
        justify-content: start;
        padding: 8px;
      }

      summary {
        padding: 8px 0;
        cursor: pointer;
        font-weight: 500;
      }
    `,
  ];

  @query('#account') private readonly accountField!: HTMLInputElement;
  @query('#key') private readonly keyField!: HTMLInputElement | null;

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const { config, failure } = this.clientState;
    const shown = this.failure ?? (failure === undefined ? undefined : this.errorTextOf(failure));
    return html`<div class="card" part="card">
      <h1>${texts.signInTitle}</h1>
      ${
        config.isDevnet
          ? html`<p>${texts.devnetIntro}</p>
              <div class="accounts">
                ${config.devnetAccounts.map(
                  ({ name, posting }) =>
                    html`<button
                      class="button"
                      type="button"
                      ?disabled=${this.isBusy}
                      @click=${() => this.signIn(name, keyMethod(posting))}
                    >
                      ${avatar(name, { size: 'small', pattern: config.avatars })}
                      <span class="ellipsis">${name}</span>
                    </button>`,
                )}
              </div>
              <details>
                <summary>${texts.signInOther}</summary>
                ${this.form(true)}
              </details>`
          : html`<p class="muted">${texts.signInIntro}</p>
              ${this.form(false)}`
      }
      <p role="status" aria-live="polite">${this.isBusy ? texts.waitingForWallet : nothing}</p>
      ${shown === undefined ? nothing : html`<p class="error" role="alert">${shown}</p>`}
    </div>`;
  }

  private form(isDevnet: boolean): TemplateResult {
    const { texts } = this.language;
    const keychain = findKeychain(texts.signInTo(new URL(this.usedClient.url).host));
    return html`<form
      @submit=${(event: SubmitEvent) => {
        this.onSubmit(event, keychain);
      }}
    >
      <label
        >${texts.account}
        <input
          id="account"
          class="field"
          name="account"
          required
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          placeholder=${texts.accountHint}
        />
      </label>
      ${keychain === undefined ? html`<p class="muted">${texts.noKeychain}</p>` : nothing}
      ${
        keychain === undefined
          ? nothing
          : html`<button class="button primary" ?disabled=${this.isBusy}>${texts.signInWithKeychain}</button>`
      }
      ${
        isDevnet
          ? html`<label
                >${texts.postingKey}
                <input id="key" class="field" type="password" name="key" autocomplete="off" />
              </label>
              <button class="button" ?disabled=${this.isBusy}>${texts.signInWithKey}</button>`
          : nothing
      }
    </form>`;
  }

  private onSubmit(event: SubmitEvent, keychain: SignInMethod | undefined): void {
    event.preventDefault();
    const key = this.keyField?.value ?? '';
    const method = key === '' ? keychain : keyMethod(key);
    if (method !== undefined) void this.signIn(this.accountField.value.trim().toLowerCase().replace(/^@/, ''), method);
  }

  private async signIn(account: string, method: SignInMethod): Promise<void> {
    await this.attempt(() => this.usedClient.signIn(account, method));
  }
}
