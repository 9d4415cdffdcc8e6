import { css, html, type TemplateResult } from 'lit';
import { query, state } from 'lit/decorators.js';
import { defineElement } from './define-element';
import { useKey } from './page-keys';
import { WaggleElement } from './waggle-element';

/** Asks before something that cannot be undone. The browser keeps the focus inside, and Escape cancels. */
@defineElement('waggle-confirm')
export class WaggleConfirm extends WaggleElement {
  static override styles = [
    ...WaggleElement.styles,
    css`
      dialog {
        width: min(360px, calc(100vw - 32px));
        padding: 24px;
        border: 1px solid var(--_border);
        border-radius: var(--_radius);
        background: var(--_raised);
        color: var(--_text);
      }

      dialog::backdrop {
        background: rgb(0 0 0 / 45%);
      }

      .buttons {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: 8px;
        margin-block-start: 24px;
      }
    `,
  ];

  @state() private question = '';
  @state() private action = '';
  @query('dialog') private readonly dialog!: HTMLDialogElement | null;

  /** Asks the question. @param action text of the button that confirms @returns whether the user confirmed */
  async ask(question: string, action: string): Promise<boolean> {
    this.question = question;
    this.action = action;
    await this.updateComplete;
    const { dialog } = this;
    if (dialog === null) return false;
    dialog.returnValue = '';
    dialog.showModal();
    await new Promise((resolve) => {
      dialog.addEventListener('close', resolve, { once: true });
    });
    return dialog.returnValue === 'yes';
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    return html`<dialog aria-labelledby="question" @keydown=${this.#onKey}>
      <p id="question">${this.question}</p>
      <form method="dialog" class="buttons">
        <button class="button" value="no">${texts.cancel}</button>
        <button class="button danger" value="yes">${this.action}</button>
      </form>
    </dialog>`;
  }

  /** The Escape that cancels closes nothing of the page. */
  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') useKey(event);
  }
}
