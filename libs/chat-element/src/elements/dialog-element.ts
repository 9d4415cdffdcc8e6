import { css } from 'lit';
import { query, state } from 'lit/decorators.js';
import { isUnusedEscape, useKey } from './page-keys';
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

  /** Name of the dialog in the stack of panes. */
  protected abstract readonly overlay: Overlay;

  /** A dialog that is expensive to render is empty while it is closed. */
  @state() protected isOpen = false;

  @query('dialog') protected readonly dialog!: HTMLDialogElement | null;

  /** Resolves the promise of `openDialog`. Undefined while the dialog is closed. */
  #settle: (() => void) | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.close();
  }

  /** Closes the dialog without waiting for the browser's `close` event: a key may be pressed before it. */
  close(): void {
    this.isOpen = false;
    this.dialog?.close();
    this.#settle?.();
  }

  /** Opens the dialog. Resolves when it is closed, with its return value: empty unless a button has one. */
  protected async openDialog(): Promise<string> {
    this.isOpen = true;
    await this.updateComplete;
    const { dialog } = this;
    // It was closed meanwhile, or is open already.
    if (!this.#isWanted || dialog === null || dialog.open) return '';
    dialog.returnValue = '';
    dialog.showModal();
    dialog.addEventListener('close', this.#onClose);
    const removeOverlay = addOverlay(this, this.overlay, () => {
      this.close();
    });
    return await new Promise((resolve) => {
      this.#settle = () => {
        this.#settle = undefined;
        this.isOpen = false;
        removeOverlay();
        resolve(dialog.returnValue);
      };
    });
  }

  get #isWanted(): boolean {
    return this.isOpen && this.isConnected;
  }

  readonly #onClose = (): void => {
    // The event of the previous opening may arrive after the dialog was opened again.
    if (this.dialog?.open !== true) this.#settle?.();
  };

  /** For the `keydown` of the dialog. Closes it before the next key, which the browser's `close` event may follow. */
  protected readonly onDialogKey = (event: KeyboardEvent): void => {
    if (!isUnusedEscape(event)) return;
    useKey(event);
    event.preventDefault();
    this.close();
  };
}
