import { css, html, nothing, type TemplateResult } from 'lit';
import type { Language } from '../i18n/texts';
import { isInputMethodKey, isUnusedEscape, useKey } from '../elements/page-keys';
import { matching } from '../elements/ranking';
import { type EmojiGroup, loadEmoji, matchingEmoji } from '../emoji/emoji-set';
import { completionAt, type Completion } from './completion';

const maxSuggestions = 8;

/** A suggested account or emoji. */
export interface Suggestion {
  /** What is written. */
  text: string;
  label: string;
  picture: TemplateResult | string;
}

export const suggestionStyles = css`
  .suggestions {
    position: absolute;
    z-index: 1;
    inset-inline: 8px;
    inset-block-end: 100%;
    max-width: 360px;
    margin-block-end: 4px;
    padding: 4px;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    max-height: min(360px, 40dvh);
    overflow: auto;
    background: var(--_raised);
    box-shadow: var(--_shadow-lg);
  }

  .suggestions li {
    display: flex;
    align-items: center;
    gap: 12px;
    min-height: var(--_target);
    padding: 4px 12px;
    border-radius: var(--_radius-sm);
    cursor: pointer;
  }

  .suggestions li[aria-selected='true'] {
    background: var(--_selected);
  }

  @media (forced-colors: active) {
    .suggestions li[aria-selected='true'] {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }

  .suggestions .picture {
    display: grid;
    place-items: center;
    width: calc(2 * var(--_rem));
    font-size: calc(1.25 * var(--_rem));
  }
`;

interface Host {
  readonly field: HTMLTextAreaElement | null;
  readonly language: Language;
  /** The accounts that may be mentioned. */
  readonly mentionable: () => readonly Suggestion[];
  readonly onChange: () => void;
}

/** Suggests accounts and emoji for the name before the cursor. */
export class Suggestions {
  #completion: Completion | undefined;
  #items: readonly Suggestion[] = [];
  #selected = 0;
  #emoji: { language: string; groups: readonly EmojiGroup[] } | undefined;
  /** Start of the name whose suggestions the user has closed. */
  #dismissedStart: number | undefined;

  constructor(private readonly host: () => Host) {}

  /** The id of the selected one, for `aria-activedescendant`. */
  get selectedId(): string | undefined {
    return this.#items.length === 0 ? undefined : idOf(this.#selected);
  }

  get isOpen(): boolean {
    return this.#items.length > 0;
  }

  /** Called when the text has changed, and while it is open when the cursor has moved. */
  update(): void {
    const { field, onChange } = this.host();
    const isCursor = field !== null && field.selectionStart === field.selectionEnd;
    const completion = isCursor ? completionAt(field.value, field.selectionStart) : undefined;
    if (completion?.start !== this.#dismissedStart) this.#dismissedStart = undefined;
    const isDismissed = completion === undefined || completion.start === this.#dismissedStart;
    const isSame = completion?.start === this.#completion?.start && completion?.query === this.#completion?.query;
    if (isSame) return;
    this.#completion = completion;
    this.#items = isDismissed ? [] : this.#matching(completion);
    this.#selected = 0;
    onChange();
  }

  close(): void {
    this.#dismissedStart = this.#completion?.start;
    this.#items = [];
    this.host().onChange();
  }

  /** Arrow keys select, Enter and Tab choose, Escape closes. @returns whether the key is used */
  onKey(event: KeyboardEvent): boolean {
    const count = this.#items.length;
    if (count === 0 || isInputMethodKey(event) || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (isUnusedEscape(event)) {
      useKey(event);
      this.close();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      this.#selected = (this.#selected + (event.key === 'ArrowDown' ? 1 : -1) + count) % count;
      this.host().onChange();
    } else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) this.#choose(this.#selected);
    else return false;
    event.preventDefault();
    return true;
  }

  template(): TemplateResult | typeof nothing {
    const { texts } = this.host().language;
    if (this.#items.length === 0) return nothing;
    return html`<ul class="suggestions" id="suggestions" role="listbox" aria-label=${texts.suggestions}>
      ${this.#items.map(
        ({ label, picture }, index) =>
          html`<li
            id=${idOf(index)}
            role="option"
            aria-selected=${index === this.#selected}
            @mousedown=${(event: Event) => {
              // The field keeps the focus.
              event.preventDefault();
              this.#choose(index);
            }}
          >
            <span class="picture">${picture}</span><bdi class="grow ellipsis">${label}</bdi>
          </li>`,
      )}
    </ul>`;
  }

  #matching({ kind, query }: Completion): readonly Suggestion[] {
    if (kind === 'mention')
      return matching(this.host().mentionable(), query, ({ label }) => label).slice(0, maxSuggestions);
    const { language } = this.host().language.formats;
    if (this.#emoji?.language !== language) {
      void this.#loadEmoji(language);
      return [];
    }
    return matchingEmoji(this.#emoji.groups, query, maxSuggestions).map(({ emoji, label }) => ({
      text: emoji,
      label,
      picture: emoji,
    }));
  }

  async #loadEmoji(language: string): Promise<void> {
    try {
      this.#emoji = { language, groups: await loadEmoji(language) };
    } catch {
      // Without them `:` is a character like others, until the next attempt.
      return;
    }
    this.#completion = undefined;
    this.update();
  }

  #choose(index: number): void {
    const { field } = this.host();
    const item = this.#items[index];
    const completion = this.#completion;
    if (item === undefined || completion === undefined || field === null) return;
    field.setRangeText(item.text, completion.start, field.selectionStart, 'end');
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }
}

function idOf(index: number): string {
  return `suggestion-${index}`;
}
