import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { WaggleElement } from './waggle-element';

/** An element with actions that take a moment and may fail. */
export class ActionElement extends WaggleElement {
  @state() protected isBusy = false;
  @state() protected failure: string | undefined;

  /** Performs an action, and shows why it failed. @returns whether it succeeded */
  protected async attempt(action: () => Promise<unknown>): Promise<boolean> {
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
    }
  }

  protected failureNotice(): TemplateResult | typeof nothing {
    return this.failure === undefined ? nothing : html`<p class="error" role="alert">${this.failure}</p>`;
  }
}
