import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { WaggleElement } from './waggle-element';

/** An element with actions that take a moment and may fail. */
export class ActionElement extends WaggleElement {
  @state() protected isBusy = false;
  @state() protected failure: string | undefined;

  /** Performs an action, and shows why it failed. @returns whether it succeeded */
  protected async attempt(action: () => Promise<unknown>): Promise<boolean> {
    const focused = this.shadowRoot?.activeElement;
    this.isBusy = true;
    this.failure = undefined;
    try {
      await action();
      return true;
    } catch (error) {
      this.failure = this.errorText(error);
      return false;
    } finally {
      this.isBusy = false;
      void this.updateComplete.then(() => {
        if (!this.#hasFocusItself) return;
        if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
        else this.restoreFocus();
      });
    }
  }

  /** A button that starts an action is disabled until it is done. */
  protected override hasLost(focused: Element): boolean {
    return super.hasLost(focused) || focused.matches(':disabled');
  }

  /** The element has the focus itself until an action is done. */
  protected override restoreFocus(): void {
    if (!this.isBusy) {
      super.restoreFocus();
      return;
    }
    this.tabIndex = -1;
    HTMLElement.prototype.focus.call(this);
  }

  get #hasFocusItself(): boolean {
    return this.matches(':focus') && this.shadowRoot?.activeElement === null;
  }

  /** A button that starts an action, on an account if there is one. */
  protected actionButton(text: string, action: () => Promise<unknown> | undefined, account?: string): TemplateResult {
    return html`<button
      class="button"
      aria-label=${account === undefined ? text : `${text}: ${account}`}
      ?disabled=${this.isBusy}
      @click=${() => void this.attempt(async () => action())}
    >
      ${text}
    </button>`;
  }

  protected failureNotice(): TemplateResult | typeof nothing {
    return this.failure === undefined ? nothing : html`<p class="error" role="alert">${this.failure}</p>`;
  }
}
