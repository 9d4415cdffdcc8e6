import { css, html, type TemplateResult } from 'lit';
import { defineElement } from '../elements/define-element';
import { DialogElement } from '../elements/dialog-element';
import { icon } from '../theme/icons';
import type { Texts } from '../i18n/en';

/** The keys of each action; alternatives are lists of their own. */
const shortcuts: Record<keyof Texts['shortcutActions'], string[][]> = {
  openPalette: [['Ctrl', 'K']],
  switchConversation: [
    ['Alt', '↑'],
    ['Alt', '↓'],
  ],
  showShortcuts: [['?']],
  sendMessage: [['Enter']],
  newLine: [['Shift', 'Enter']],
  editLast: [['↑']],
  moveBetweenMessages: [['↑'], ['↓']],
  closeTop: [['Esc']],
};

/** A dialog with all keyboard shortcuts. */
@defineElement('waggle-shortcuts')
export class WaggleShortcuts extends DialogElement {
  static override styles = [
    ...DialogElement.styles,
    css`
      dialog {
        width: min(calc(28 * var(--_rem)), calc(100vw - 32px));
      }

      h2 {
        font-size: var(--_text-lg);
      }

      dl {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 12px 16px;
        align-items: center;
        margin: 16px 0 0;
      }

      dd {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: 12px;
        margin: 0;
      }

      .keys {
        display: flex;
        gap: 4px;
      }

      kbd {
        min-width: 2em;
        padding: 2px 6px;
        border: 1px solid var(--_border);
        border-block-end-width: 2px;
        border-radius: 6px;
        background: var(--_surface);
        font: inherit;
        font-size: var(--_text-sm);
        text-align: center;
      }
    `,
  ];

  protected readonly overlay = 'shortcuts';

  async open(): Promise<void> {
    await this.openDialog();
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const actions = Object.keys(shortcuts) as (keyof typeof shortcuts)[];
    return html`<dialog aria-labelledby="title" @keydown=${this.onDialogKey}>
      <div class="row">
        <h2 id="title" class="grow">${texts.shortcuts}</h2>
        <button class="icon-button" aria-label=${texts.close} @click=${this.close}>${icon('close')}</button>
      </div>
      <dl>
        ${actions.map(
          (action) =>
            html`<dt>${texts.shortcutActions[action]}</dt>
              <dd>${shortcuts[action].map((keys) => html`<span class="keys">${keys.map(keyCap)}</span>`)}</dd>`,
        )}
      </dl>
    </dialog>`;
  }
}

function keyCap(key: string): TemplateResult {
  const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
  const shown = isApple ? (applePlatformKeys.get(key) ?? key) : key;
  return html`<kbd>${shown}</kbd>`;
}

const applePlatformKeys = new Map([
  ['Ctrl', '⌘'],
  ['Alt', '⌥'],
]);
