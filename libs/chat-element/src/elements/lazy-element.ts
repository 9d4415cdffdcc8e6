import { html, type ReactiveControllerHost, type TemplateResult } from 'lit';
import type { Texts } from '../i18n/en';
import { InvalidInput } from './action-element';

/** An element whose module is loaded when it is first needed. The host renders it before that, empty. */
export class LazyElement<Loaded extends HTMLElement = HTMLElement> {
  #loading: Promise<void> | undefined;
  #hasFailed = false;

  /**
   * @param host the element that shows it
   * @param importModule imports the module that defines it
   */
  constructor(
    private readonly host: HTMLElement & ReactiveControllerHost,
    private readonly name: string,
    private readonly importModule: () => Promise<unknown>,
  ) {}

  /** The element, if the host renders it now. */
  get element(): Loaded | undefined {
    return this.host.shadowRoot?.querySelector<Loaded>(this.name) ?? undefined;
  }

  /** Loads the module once. @throws InvalidInput if it cannot be loaded; its message is the text to show */
  async load(texts: Texts): Promise<void> {
    await (this.#loading ??= this.#load());
    if (!this.#hasFailed) return;
    this.#loading = undefined;
    throw new InvalidInput(texts.notLoaded);
  }

  /** What to render: the element, which is empty until it is loaded, or why it cannot be shown. */
  show(element: TemplateResult, texts: Texts): TemplateResult {
    this.#loading ??= this.#load();
    if (!this.#hasFailed) return element;
    const retry = (): void => {
      this.#loading = this.#load();
    };
    return html`<p class="error" role="alert">
      ${texts.notLoaded} <button type="button" class="button" @click=${retry}>${texts.retry}</button>
    </p>`;
  }

  async #load(): Promise<void> {
    await this.importModule().catch(() => undefined);
    // After an upgrade of the server, its newer module defines no elements in this page.
    this.#hasFailed = customElements.get(this.name) === undefined;
    this.host.requestUpdate();
  }
}
