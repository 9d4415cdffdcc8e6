import type { MessageRevision } from '@waggle/client/browser';
import { css, html, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { errorCodeOf } from '../client/error-code';
import { defineElement } from '../elements/define-element';
import { DialogElement } from '../elements/dialog-element';
import { icon } from '../theme/icons';

/** A dialog with the former texts of an edited message. */
@defineElement('waggle-revisions')
export class WaggleRevisions extends DialogElement {
  static override styles = [
    ...DialogElement.styles,
    css`
      dialog {
        width: min(calc(28 * var(--_rem)), calc(100vw - 32px));
      }

      h2 {
        font-size: var(--_text-lg);
      }

      li {
        margin-block-start: 16px;
      }

      li p {
        overflow-wrap: anywhere;
        white-space: pre-wrap;
      }
    `,
  ];

  protected readonly overlay = 'revisions';

  /** From the newest to the oldest; undefined while they are loaded. */
  @state() private revisions: readonly MessageRevision[] | undefined;
  @state() private failure: string | undefined;

  /** Shows the former texts of a message. Resolves when the dialog is closed. */
  async open(messageId: string): Promise<void> {
    this.revisions = undefined;
    this.failure = undefined;
    void this.#load(messageId);
    await this.openDialog();
  }

  async #load(messageId: string): Promise<void> {
    try {
      const revisions: MessageRevision[] = [];
      for await (const revision of this.live?.chat.api.revisions(messageId) ?? []) revisions.unshift(revision);
      this.revisions = revisions;
    } catch (error) {
      this.failure = errorCodeOf(error);
    }
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    return html`<dialog aria-labelledby="title" @keydown=${this.onDialogKey}>
      <div class="row">
        <h2 id="title" class="grow">${texts.formerTexts}</h2>
        <button class="icon-button" aria-label=${texts.close} @click=${this.close}>${icon('close')}</button>
      </div>
      <div role="status">${this.#content()}</div>
    </dialog>`;
  }

  #content(): TemplateResult | string {
    const { texts, formats } = this.language;
    if (this.failure !== undefined) return html`<p class="error">${this.errorTextOf(this.failure)}</p>`;
    if (this.revisions === undefined) return texts.loading;
    if (this.revisions.length === 0) return texts.noFormerTexts;
    return html`<ol>
      ${this.revisions.map(
        ({ content, timestamp }) =>
          html`<li>
            <time class="muted" datetime=${timestamp}>${formats.moment(new Date(timestamp))}</time>
            <p dir="auto">${content}</p>
          </li>`,
      )}
    </ol>`;
  }
}
