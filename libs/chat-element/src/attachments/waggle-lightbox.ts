import type { Attachment } from '@waggle/client/browser';
import { css, html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { defineElement } from '../elements/define-element';
import { DialogElement } from '../elements/dialog-element';
import { useKey } from '../elements/page-keys';
import { icon } from '../theme/icons';

/** A dialog that shows the images of a message one at a time, as large as the screen allows. */
@defineElement('waggle-lightbox')
export class WaggleLightbox extends DialogElement {
  static override styles = [
    ...DialogElement.styles,
    css`
      dialog {
        width: 100%;
        height: 100%;
        max-width: none;
        max-height: none;
        padding: 0;
        border: 0;
        border-radius: 0;
        background: rgb(0 0 0 / 88%);
        color: #ffffff;
      }

      .frame {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        height: 100%;
      }

      .bar {
        display: flex;
        align-items: center;
        gap: 8px;
        padding: 8px 16px;
      }

      .bar :is(button, a),
      .step {
        display: grid;
        place-items: center;
        width: var(--_target);
        height: var(--_target);
        border-radius: 50%;
        color: inherit;
      }

      :is(.bar button, .bar a, .step):hover {
        background: rgb(255 255 255 / 16%);
      }

      :is(.bar button, .bar a, .step):focus-visible {
        outline-color: #ffffff;
      }

      .stage {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        place-items: center;
        position: relative;
        min-height: 0;
      }

      img {
        display: block;
        max-width: 100%;
        max-height: 100%;
        object-fit: contain;
      }

      .step {
        position: absolute;
        inset-block-start: calc(50% - var(--_target) / 2);
        background: rgb(0 0 0 / 55%);
      }

      .step.previous {
        inset-inline-start: 8px;
      }

      .step.next {
        inset-inline-end: 8px;
      }
    `,
  ];

  protected readonly overlay = 'image';

  @state() private images: readonly Attachment[] = [];
  @state() private index = 0;

  /** Shows one of several images. Resolves when the dialog is closed; the browser returns the focus. */
  async open(images: readonly Attachment[], first: Attachment): Promise<void> {
    this.images = images;
    this.index = Math.max(0, images.indexOf(first));
    await this.openDialog();
  }

  protected override render(): TemplateResult {
    const image = this.isOpen ? this.images[this.index] : undefined;
    return html`<dialog aria-label=${image?.name ?? nothing} @keydown=${this.#onKey} @click=${this.#onClick}>
      ${image === undefined ? nothing : this.#frame(image)}
    </dialog>`;
  }

  #frame(image: Attachment): TemplateResult {
    const { texts, formats } = this.language;
    const count = this.images.length;
    const position = count > 1 ? `${formats.number(this.index + 1)} / ${formats.number(count)}` : '';
    return html`<div class="frame">
      <div class="bar">
        <span class="grow ellipsis" role="status"
          ><span><bdi>${image.name}</bdi> ${position}</span></span
        >
        <a
          href=${image.url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          aria-label=${texts.openOriginal}
          title=${texts.openOriginal}
          >${icon('external')}</a
        >
        <button aria-label=${texts.close} title=${texts.close} autofocus @click=${this.#close}>${icon('close')}</button>
      </div>
      <div class="stage">
        <img
          src=${image.url}
          width=${image.width ?? ''}
          height=${image.height ?? ''}
          alt=${image.name}
          referrerpolicy="no-referrer"
        />
        ${this.#step(-1)} ${this.#step(1)}
      </div>
    </div>`;
  }

  /** The button for the previous (-1) or next (1) image, if there is one. */
  #step(by: 1 | -1): TemplateResult | undefined {
    if (this.images[this.index + by] === undefined) return undefined;
    const { texts } = this.language;
    const text = by === 1 ? texts.nextImage : texts.previousImage;
    return html`<button
      class="step ${by === 1 ? 'next' : 'previous'}"
      aria-label=${text}
      title=${text}
      @click=${() => {
        this.#move(by);
      }}
    >
      ${icon(by === 1 ? 'forward' : 'back')}
    </button>`;
  }

  readonly #close = (): void => {
    this.close();
  };

  #move(by: number): void {
    this.index = Math.min(Math.max(this.index + by, 0), this.images.length - 1);
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    this.onDialogKey(event);
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    useKey(event);
    const isForward = (event.key === 'ArrowRight') === (getComputedStyle(this).direction === 'ltr');
    this.#move(isForward ? 1 : -1);
  };

  /** A click beside the image closes the dialog. */
  readonly #onClick = (event: MouseEvent): void => {
    if (event.target instanceof Element && event.target.matches('dialog, .stage')) this.close();
  };
}
