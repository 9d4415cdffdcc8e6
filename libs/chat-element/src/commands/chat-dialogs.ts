import type { ReactiveControllerHost } from 'lit';
import { LazyElement } from '../elements/lazy-element';
import type { Texts } from '../i18n/en';
import type { WagglePalette } from './waggle-palette';
import type { WaggleShortcuts } from './waggle-shortcuts';

/** The dialogs that keys open. The chat renders their elements, which are loaded later. */
export class ChatDialogs {
  /** Whether a dialog could not be loaded. */
  isMissing = false;
  readonly #elements;
  #isPreloaded = false;

  constructor(private readonly host: HTMLElement & ReactiveControllerHost) {
    this.#elements = {
      palette: new LazyElement<WagglePalette>(host, 'waggle-palette', () => import('./waggle-palette')),
      shortcuts: new LazyElement<WaggleShortcuts>(host, 'waggle-shortcuts', () => import('./waggle-shortcuts')),
    };
  }

  /** Whether the chat shows them. */
  get exist(): boolean {
    return this.#elements.palette.element !== undefined;
  }

  /** Loads the dialogs once. */
  preload(texts: Texts): void {
    if (this.#isPreloaded) return;
    this.#isPreloaded = true;
    for (const element of Object.values(this.#elements)) element.load(texts).catch(() => undefined);
  }

  async open(name: 'palette' | 'shortcuts', texts: Texts): Promise<void> {
    const lazy = this.#elements[name];
    this.isMissing = await lazy.load(texts).then(
      () => false,
      () => true,
    );
    this.host.requestUpdate();
    if (!this.isMissing) await lazy.element?.open();
  }
}
