import { css, html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { defineElement } from '../elements/define-element';
import { DialogElement } from '../elements/dialog-element';
import { isInputMethodKey } from '../elements/page-keys';
import { type Emoji, type EmojiGroup, loadEmoji, matchingEmoji } from './emoji-set';

/** Beyond these, the user types more letters. */
const maxFound = 64;

/** A dialog to choose an emoji in. */
@defineElement('waggle-emoji-picker')
export class WaggleEmojiPicker extends DialogElement {
  static override styles = [
    ...DialogElement.styles,
    css`
      dialog {
        width: min(calc(22 * var(--_rem)), calc(100vw - 16px));
        height: min(calc(26 * var(--_rem)), 70dvh);
        margin-block-end: 16px;
        padding: 0;
        overflow: hidden;
      }

      dialog[open] {
        display: flex;
        flex-direction: column;
      }

      input {
        padding: 12px 16px;
        border: 0;
        border-block-end: 1px solid var(--_border);
        background: none;
      }

      input:focus-visible {
        outline: none;
      }

      .list {
        flex: 1;
        min-height: 0;
        padding: 8px;
        overflow: auto;
      }

      section {
        content-visibility: auto;
        contain-intrinsic-height: auto 600px;
      }

      h3 {
        padding: 8px 4px 4px;
        color: var(--_muted);
        font-size: var(--_text-sm);
      }

      /* Unicode's names of groups begin with a small letter. */
      h3::first-letter {
        text-transform: uppercase;
      }

      .list > p {
        padding: 8px;
      }

      .emoji {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(40px, 1fr));
      }

      .emoji button {
        display: grid;
        place-items: center;
        height: 40px;
        border-radius: 8px;
        font-size: calc(1.5 * var(--_rem));
      }

      .emoji button:is(:hover, :focus-visible) {
        background: var(--_hover);
      }
    `,
  ];

  protected readonly overlay = 'emoji';

  @state() private text = '';
  @state() private groups: readonly EmojiGroup[] | undefined;
  @state() private hasFailed = false;

  /** Resolves with the emoji that the user has chosen; empty if none. */
  async choose(): Promise<string> {
    this.text = '';
    void this.#load();
    return await this.openDialog();
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    return html`<dialog aria-label=${texts.emoji} @click=${this.#onClick} @keydown=${this.onDialogKey}>
      ${
        this.isOpen
          ? html`<input
                type="search"
                autocomplete="off"
                spellcheck="false"
                autofocus
                aria-label=${texts.searchEmoji}
                placeholder=${texts.searchEmoji}
                .value=${this.text}
                @input=${this.#onInput}
                @keydown=${this.#onInputKey}
              />
              <div class="list" @keydown=${this.#onListKey}>${this.#list()}</div>`
          : nothing
      }
    </dialog>`;
  }

  #list(): unknown {
    const { texts } = this.language;
    const { groups } = this;
    if (this.hasFailed) return html`<p class="error" role="alert">${texts.notLoaded}</p>`;
    if (groups === undefined) return html`<p class="muted" role="status">${texts.loading}</p>`;
    return guard([groups, this.text], () => {
      if (this.text.trim() === '')
        return groups.map(
          ({ name, emoji }) =>
            html`<section>
              <h3>${name}</h3>
              ${this.#grid(emoji)}
            </section>`,
        );
      const found = matchingEmoji(groups, this.text, maxFound);
      if (found.length > 0) return this.#grid(found);
      return html`<p class="muted" role="status">${texts.noMatches(this.text)}</p>`;
    });
  }

  #grid(emoji: readonly Emoji[]): TemplateResult {
    return html`<div class="emoji">
      ${emoji.map(
        ({ emoji: text, label }) =>
          html`<button type="button" tabindex="-1" data-emoji=${text} aria-label=${label} title=${label}>
            ${text}
          </button>`,
      )}
    </div>`;
  }

  async #load(): Promise<void> {
    this.hasFailed = false;
    try {
      this.groups = await loadEmoji(this.language.formats.language);
    } catch {
      this.hasFailed = true;
    }
  }

  #onInput(event: Event): void {
    if (event.currentTarget instanceof HTMLInputElement) this.text = event.currentTarget.value;
  }

  /** Enter chooses the first emoji; the arrow down focuses it. */
  #onInputKey(event: KeyboardEvent): void {
    if (isInputMethodKey(event) || (event.key !== 'Enter' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    const first = this.#buttons[0];
    if (event.key === 'Enter') this.#choose(first);
    else first?.focus();
  }

  /** The arrow keys move in the grid; up or back from the first emoji, to the input. */
  #onListKey(event: KeyboardEvent): void {
    const buttons = this.#buttons;
    const index = buttons.findIndex((button) => button === this.shadowRoot?.activeElement);
    const forward = getComputedStyle(this).direction === 'ltr' ? 'ArrowRight' : 'ArrowLeft';
    const isVertical = event.key === 'ArrowUp' || event.key === 'ArrowDown';
    const isHorizontal = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    if (index < 0 || !(isVertical || isHorizontal)) return;
    event.preventDefault();
    const isForward = isVertical ? event.key === 'ArrowDown' : event.key === forward;
    const next = isVertical ? this.#inNextRow(buttons, index, isForward) : buttons[index + (isForward ? 1 : -1)];
    if (next !== undefined) next.focus();
    else if (!isForward) this.renderRoot.querySelector('input')?.focus();
  }

  /** The nearest button in the row below or above. */
  #inNextRow(buttons: readonly HTMLElement[], index: number, isBelow: boolean): HTMLElement | undefined {
    const from = buttons[index];
    if (from === undefined) return undefined;
    const candidates = isBelow ? buttons.slice(index + 1) : buttons.slice(0, index).reverse();
    // `offsetTop` would be the position in the group of the emoji.
    const topOf = (button: HTMLElement): number => button.getBoundingClientRect().top;
    const leftOf = (button: HTMLElement): number => button.getBoundingClientRect().left;
    const start = candidates.findIndex((button) => topOf(button) !== topOf(from));
    const [first, ...others] = start < 0 ? [] : candidates.slice(start);
    if (first === undefined) return undefined;
    const end = others.findIndex((button) => topOf(button) !== topOf(first));
    const row = [first, ...(end < 0 ? others : others.slice(0, end))];
    const distance = (button: HTMLElement): number => Math.abs(leftOf(button) - leftOf(from));
    return row.toSorted((one, other) => distance(one) - distance(other))[0];
  }

  #onClick(event: MouseEvent): void {
    if (event.target === this.dialog) this.close();
    else if (event.target instanceof Element)
      this.#choose(event.target.closest<HTMLElement>('[data-emoji]') ?? undefined);
  }

  #choose(button: HTMLElement | undefined): void {
    const emoji = button?.dataset['emoji'];
    if (emoji === undefined || this.dialog === null) return;
    this.dialog.returnValue = emoji;
    this.close();
  }

  get #buttons(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[data-emoji]')];
  }
}
