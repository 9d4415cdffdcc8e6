import { css } from 'lit';
import { query, state } from 'lit/decorators.js';
import { useKey } from './page-keys';
import { addOverlay, type Overlay } from './pane-stack';
import { WaggleElement } from './waggle-element';

/** An element with one modal dialog. The browser keeps the focus inside, and Escape closes nothing but the dialog. */
export abstract class DialogElement extends WaggleElement {
  static override styles = [
    ...WaggleElement.styles,
    css`
      dialog {
        padding: 24px;
        border: 1px solid var(--_border);
        border-radius: var(--_radius);
        background: var(--_raised);
        box-shadow: var(--_shadow-lg);
        color: var(--_text);
      }

      dialog::backdrop {
        background: rgb(0 0 0 / 45%);
      }
    `,
  ];

  /** Its name in the stack of panes. */
  protected abstract readonly overlay: Overlay;

  /** A dialog that is expensive to render is empty while it is closed. */
  @state() protected isOpen = false;

  @query('dialog') protected readonly dialog!: HTMLDialogElement | null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.close();
  }

  close(): void {
    this.dialog?.close();
  }

  /** Opens the dialog. Resolves when it is closed, with its return value: empty unless a button has one. */
  protected async openDialog(): Promise<string> {
    this.isOpen = true;
    await this.updateComplete;
    const { dialog } = this;
    if (dialog === null || dialog.open) return '';
    dialog.returnValue = '';
    dialog.showModal();
    const removeOverlay = addOverlay(this, this.overlay, () => {
      dialog.close();
    });
    await new Promise((resolve) => {
      dialog.addEventListener('close', resolve, { once: true });
    });
    removeOverlay();
    this.isOpen = false;
    return dialog.returnValue;
  }

  /** For the `keydown` of the dialog. */
  protected readonly onDialogKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') useKey(event);
  };
}
