import type { ReactiveControllerHost } from 'lit';
import { filesIn } from './uploads';

/** What dropped images are added to. */
interface ImageField {
  readonly acceptsImages: boolean;
  /** @returns whether it takes them */
  addImages(files: readonly File[]): boolean;
}

/** Adds images that are dropped on an element to a message. */
export class ImageDrop {
  /** Whether files are dragged over the element. */
  isTarget = false;

  constructor(
    private readonly host: HTMLElement & ReactiveControllerHost,
    field: () => ImageField | null,
  ) {
    host.addEventListener('dragover', (event) => {
      if (field()?.acceptsImages !== true || event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      this.#setTarget(true);
    });
    host.addEventListener('dragleave', (event) => {
      if (!(event.relatedTarget instanceof Node && host.contains(event.relatedTarget))) this.#setTarget(false);
    });
    host.addEventListener('drop', (event) => {
      this.#setTarget(false);
      if (field()?.addImages(filesIn(event.dataTransfer)) === true) event.preventDefault();
    });
  }

  #setTarget(isTarget: boolean): void {
    if (this.isTarget === isTarget) return;
    this.isTarget = isTarget;
    this.host.requestUpdate();
  }
}
