import { css, html, nothing, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { defineElement } from '../elements/define-element';
import { accountIn } from '../elements/account-form';
import { ActionElement, type ErrorTarget } from '../elements/action-element';
import { avatar, avatarStyles } from '../theme/avatar';
import { brand, brandStyles } from '../theme/brand';
import { icon } from '../theme/icons';
import { findKeychain } from './keychain';
import type { WalletRequest } from './aioha';
import { keyMethod } from './key';
import type { SignInMethod } from '../client/sign-in-method';
import { availableWallets, walletMethod } from './wallet';
import { walletRequestStyles, walletRequestTemplate } from './wallet-request';

/** Signs an account in by a wallet; on a devnet also by a key or with one click. */
@defineElement('waggle-sign-in')
export class WaggleSignIn extends ActionElement {
  static override styles = [
    ...ActionElement.styles,
    avatarStyles,
    brandStyles,
    walletRequestStyles,
    css`
      :host {
        display: grid;
        /* A card that is taller than the screen begins at its top. */
        place-items: safe center;
        min-height: 100%;
        padding: 24px 16px;
        background: var(--_canvas);
        overflow: auto;
      }

      .card {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 16px;
        width: min(400px, 100%);
        padding: 32px 24px;
        border: 1px solid var(--_border);
        border-radius: var(--_radius);
        background: var(--_surface);
      }

      .brand {
        flex-direction: column;
        font-size: var(--_text-xl);
      }

      .brand,
      h1,
      .intro {
        text-align: center;
        text-wrap: balance;
      }

      .brand .ellipsis {
        overflow-wrap: anywhere;
        white-space: normal;
      }

      h1 {
        font-size: var(--_text-lg);
      }

      form {
        display: grid;
        gap: 16px;
      }

      .accounts {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(112px, 1fr));
        gap: 8px;
      }

      .accounts .button {
        justify-content: start;
        padding: 8px;
      }

      /* The element exists before it has a text, so that screen readers announce the text. */
      [role='status']:empty {
        position: absolute;
      }

      summary {
        display: flex;
        align-items: center;
        justify-content: center;
        gap: 4px;
        min-height: var(--_target);
        color: var(--_muted);
        cursor: pointer;
      }

      summary::-webkit-details-marker {
        display: none;
      }

      [open] summary svg {
        rotate: 180deg;
      }
    `,
  ];

  /** The name of the chat; by default the one that its operator chose. */
  @property() name: string | undefined;

  /** The URL of its logo; by default the one that its operator chose. */
  @property() logo: string | undefined;

  /** What the wallet on a phone has to be shown. */
  @state() private walletRequest: WalletRequest | undefined;
  /** The button that was pressed. */
  #pressed: { id: string; method: () => SignInMethod } | undefined;
  @query('h1') private readonly heading!: HTMLElement | null;
  @query('#account') private readonly accountField!: HTMLInputElement;
  @query('#key') private readonly keyField!: HTMLInputElement | null;

  override focus(): void {
    void this.updateComplete.then(() => this.heading?.focus());
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const { config, failure, retryReason } = this.clientState;
    return html`<main class="card" part="card">
      ${brand(this.name ?? config.name, this.logo ?? config.logo)}
      <h1 tabindex="-1">${texts.signInTitle}</h1>
      ${retryReason === undefined ? nothing : html`<p class="error" role="alert">${texts.signOutPending}</p>`}
      ${failure === undefined ? nothing : html`<p class="error" role="alert">${this.errorTextOf(failure)}</p>`}
      ${
        config.offersDevnetAccounts
          ? html`<p class="intro">${texts.devnetIntro}</p>
              <div class="accounts">
                ${config.devnetAccounts.map(
                  ({ name, posting }) =>
                    html`<button
                      class="button"
                      type="button"
                      ?disabled=${this.isBusy}
                      @click=${() => this.#signIn('devnet-accounts', name, keyMethod(posting))}
                    >
                      ${avatar(name, { size: 'small', pattern: config.avatars })}
                      <span class="ellipsis">${name}</span>
                    </button>`,
                )}
              </div>
              ${this.errorAt('devnet-accounts')}
              <details>
                <summary>${texts.signInOther} ${icon('down', 16)}</summary>
                ${this.#form(true)}
              </details>`
          : html`<p class="muted intro">${texts.signInIntro}</p>
              ${this.#form(false)}`
      }
      ${this.walletRequest === undefined ? nothing : walletRequestTemplate(this.walletRequest, texts)}
      <p role="status">${this.isBusy ? texts.waitingForWallet : nothing}</p>
    </main>`;
  }

  #form(offersDevnetAccounts: boolean): TemplateResult {
    const { texts } = this.language;
    const keychain = findKeychain(texts.signInTo(new URL(this.usedClient.url).host));
    const wallets = availableWallets();
    return html`<form @submit=${this.#onSubmit}>
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
      ${this.errorAt('account')}
      ${
        offersDevnetAccounts
          ? html`<label
                >${texts.postingKey}
                <input id="key" class="field" type="password" name="key" autocomplete="off" />
              </label>
              ${this.errorAt('key')}
              ${this.#button('with-key', texts.signInWithKey, () => keyMethod(this.keyField?.value ?? ''))}`
          : nothing
      }
      ${
        keychain === undefined
          ? html`<p class="muted">${texts.noKeychain}</p>`
          : this.#button('with-keychain', texts.signInWithKeychain, () => keychain, !offersDevnetAccounts)
      }
      ${wallets.map((wallet, index) =>
        this.#button(
          `with-${wallet}`,
          wallet === 'hiveauth' ? texts.signInWithHiveAuth : texts.signInWithPeakVault,
          () =>
            walletMethod(wallet, (request) => {
              this.walletRequest = request;
            }),
          !offersDevnetAccounts && keychain === undefined && index === 0,
        ),
      )}
    </form>`;
  }

  #button(id: string, text: string, method: () => SignInMethod, isPrimary = false): TemplateResult {
    return html`<button
        class=${isPrimary ? 'button primary' : 'button'}
        ?disabled=${this.isBusy}
        @click=${() => {
          this.#pressed = { id, method };
        }}
      >
        ${text}
      </button>
      ${this.errorAt(id)}`;
  }

  /** Signs in by the method of the button that was pressed: all share the field for the account. */
  #onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    const account = accountIn(this.accountField.value);
    if (this.#pressed === undefined) return;
    const { id, method } = this.#pressed;
    const isByKey = id === 'with-key';
    const at = (code: string | undefined): string => {
      if (code === 'account-not-found') return 'account';
      return isByKey && (code === 'wrong-key' || code === 'invalid-signature') ? 'key' : id;
    };
    void this.#signIn(at, account, method());
  }

  async #signIn(at: ErrorTarget, account: string, method: SignInMethod): Promise<void> {
    await this.attempt(at, () => this.usedClient.signIn(account, method), { accounts: [account] });
    this.walletRequest = undefined;
  }
}
