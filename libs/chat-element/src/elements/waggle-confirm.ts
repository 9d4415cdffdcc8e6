import { css, html, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { defineElement } from './define-element';
import { DialogElement } from './dialog-element';

/** Asks before something that is hard to undo. */
@defineElement('waggle-confirm')
export class WaggleConfirm extends DialogElement {
  static override styles = [
    ...DialogElement.styles,
    css`
      dialog {
        width: min(calc(22.5 * var(--_rem)), calc(100vw - 32px));
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

  protected readonly overlay = 'question';

  @state() private question = '';
  @state() private action = '';
  @state() private isDangerous = true;

  /** Asks the question. @param action text of the button that confirms @returns whether the user confirmed */
  async ask(question: string, action: string, { isDangerous = true } = {}): Promise<boolean> {
    this.question = question;
    this.action = action;
    this.isDangerous = isDangerous;
    return (await this.openDialog()) === 'yes';
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    return html`<dialog aria-labelledby="question" @keydown=${this.onDialogKey}>
      <p id="question">${this.question}</p>
      <form method="dialog" class="buttons">
        <button class="button" value="no">${texts.cancel}</button>
        <button class=${this.isDangerous ? 'button danger' : 'button primary'} value="yes">${this.action}</button>
      </form>
    </dialog>`;
  }
}
