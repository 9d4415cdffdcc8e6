import { css, html, nothing, type TemplateResult } from 'lit';
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

      h2 {
        font-size: var(--_text-lg);
        overflow-wrap: anywhere;
      }

      p {
        margin-block-start: 8px;
        color: var(--_muted);
      }

      .buttons {
        display: flex;
        justify-content: flex-end;
        gap: 8px;
        margin-block-start: 24px;
      }

      @media (width < 480px) {
        .buttons > * {
          flex: 1 1 0;
          padding-inline: 8px;
        }
      }
    `,
  ];

  protected readonly overlay = 'question';

  @state() private question = '';
  @state() private action = '';
  @state() private hint = '';
  @state() private isDangerous = true;

  /**
   * Asks the question.
   *
   * @param action text of the button that confirms
   * @param options `hint` says what follows
   * @returns whether the user confirmed
   */
  async ask(question: string, action: string, { hint = '', isDangerous = true } = {}): Promise<boolean> {
    this.question = question;
    this.action = action;
    this.hint = hint;
    this.isDangerous = isDangerous;
    return (await this.openDialog()) === 'yes';
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    return html`<dialog
      aria-labelledby="question"
      aria-describedby=${this.hint === '' ? nothing : 'hint'}
      @keydown=${this.onDialogKey}
    >
      <h2 id="question">${this.question}</h2>
      ${this.hint === '' ? nothing : html`<p id="hint">${this.hint}</p>`}
      <form method="dialog" class="buttons">
        <button class="button" value="no">${texts.cancel}</button>
        <button class="button primary ${this.isDangerous ? 'danger' : ''}" value="yes">${this.action}</button>
      </form>
    </dialog>`;
  }
}
