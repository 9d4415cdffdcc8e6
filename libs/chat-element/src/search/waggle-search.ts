import type { SearchHit, SearchResultsPage } from '@waggle/client/browser';
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { titleOf } from '../conversations/naming';
import { errorCodeOf } from '../client/error-code';
import { defineElement } from '../elements/define-element';
import { isInputMethodKey, isUnusedEscape, useKey, verticalStep } from '../elements/page-keys';
import { WaggleElement } from '../elements/waggle-element';
import { avatarStyles } from '../theme/avatar';
import { icon } from '../theme/icons';
import { panelStyles } from '../theme/panel';
import { hitStyles, hitTemplate } from './hit';
import { snippetOf } from './snippet';

/** Pause after the last letter before a search begins, in milliseconds. */
const pauseMs = 300;
/** The service takes 512 characters, with the `in:` of a conversation. */
const maxLength = 440;
/** How many pages without messages are skipped at once. */
const maxEmptyPages = 10;

/**
 * Finds messages by their words.
 *
 * @fires message-selected - `detail` has the `id` of the message that the user has chosen, and its `conversation`
 */
@defineElement('waggle-search')
export class WaggleSearch extends WaggleElement {
  static override styles = [
    ...WaggleElement.styles,
    avatarStyles,
    panelStyles,
    hitStyles,
    css`
      :host {
        gap: 8px;
        padding-block-start: 8px;
      }

      form {
        position: sticky;
        inset-block-start: -8px;
        z-index: 1;
        padding-block: 8px;
        margin-block: -8px;
        background: var(--_surface);
      }

      .field-row {
        position: relative;
      }

      .field-row svg {
        position: absolute;
        inset-block: 0;
        margin-block: auto;
        inset-inline-start: 12px;
        color: var(--_muted);
        pointer-events: none;
      }

      .field {
        padding-inline-start: 40px;
        border-radius: 20px;
      }

      .scope {
        display: flex;
        align-items: center;
        justify-self: start;
        gap: 4px;
        max-width: 100%;
        min-height: calc(var(--_target) - 8px);
        padding: 2px 12px;
        border-radius: var(--_target);
        background: var(--_selected);
        font-size: var(--_text-sm);
      }

      @media (pointer: coarse) {
        .scope {
          min-height: var(--_target);
        }
      }

      .hint code {
        white-space: nowrap;
      }
    `,
  ];

  /** Id of the conversation to search; empty for all. */
  @property() conversation = '';

  /** What is searched for at first. */
  @property() text = '';

  @state() private isLoading = false;
  @state() private hits: readonly SearchHit[] | undefined;
  @state() private last: SearchResultsPage | undefined;
  @state() private failure: string | undefined;
  @state() private chosen: string | undefined;
  @query('input') private readonly field!: HTMLInputElement | null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | undefined;

  override focus(): void {
    void this.updateComplete.then(() => this.field?.focus());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#cancel();
  }

  protected override onAccountChange(): void {
    this.#cancel();
    this.hits = undefined;
    this.last = undefined;
  }

  protected override willUpdate(changed?: PropertyValues<this>): void {
    super.willUpdate();
    if (changed?.has('conversation') === true || changed?.has('text') === true) this.#schedule();
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const scope = this.data.conversations.get(this.conversation);
    return html`<form role="search" @submit=${this.#onSubmit} @keydown=${this.#onKey}>
        <div class="field-row">
          ${icon('search')}
          <input
            class="field"
            type="search"
            maxlength=${maxLength}
            autocomplete="off"
            .value=${this.text}
            placeholder=${texts.searchMessages}
            aria-label=${texts.searchMessages}
            @input=${this.#onInput}
          />
        </div>
        ${
          scope === undefined
            ? nothing
            : html`<button
                type="button"
                class="scope"
                aria-label="${texts.searchIn(titleOf(scope, this.data.account, this.language))}: ${texts.searchEverywhere}"
                title=${texts.searchEverywhere}
                @click=${this.#onEverywhere}
              >
                <bdi class="ellipsis">${texts.searchIn(titleOf(scope, this.data.account, this.language))}</bdi>
                ${icon('close', 16)}
              </button>`
        }
      </form>
      <div class="muted place" role="status" dir="auto">${this.#status()}</div>
      ${this.failure === undefined ? nothing : html`<p class="error" role="alert" dir="auto">${this.failure}</p>`}
      ${this.#results()}`;
  }

  #status(): string | typeof nothing {
    const { texts, formats } = this.language;
    if (this.isLoading) return texts.loading;
    const { hits, last } = this;
    if (hits === undefined || last === undefined) return nothing;
    const none = last.next === undefined ? texts.noMatches(this.text.trim()) : texts.noMatchesYet;
    const count = hits.length === 0 ? none : texts.found(hits.length, formats);
    const more = hits.length > 0 && last.next !== undefined ? '+' : '';
    const until = last.indexed_until;
    const behind =
      until === undefined
        ? last.building === true
          ? texts.searchBuilding
          : ''
        : texts.searchBehind(formats.moment(new Date(until)));
    return `${count.replace(/\d(?=\D*$)/, `$&${more}`)} ${behind}`;
  }

  #results(): TemplateResult | typeof nothing {
    const { texts } = this.language;
    const { hits } = this;
    if (hits === undefined) {
      if (this.isLoading || this.failure !== undefined) return nothing;
      return html`<p class="empty hint muted" dir="auto">
        ${texts.searchHint}
        <span
          ><code>"${texts.message}"</code> <code>from:alice</code> <code>has:link</code> <code>has:image</code></span
        >
        <span><code>after:2026-01-31</code> <code>before:2026-02-28</code></span>
      </p>`;
    }
    return html`<ul class="list" aria-label=${texts.messages} @keydown=${this.#onKey}>
        ${repeat(
          hits,
          ({ id }) => id,
          (hit) => html`<li>${this.#hit(hit)}</li>`,
        )}
      </ul>
      ${
        this.last?.next === undefined
          ? nothing
          : html`<button class="entry" ?disabled=${this.isLoading} @click=${() => void this.#search(this.last?.next)}>
              ${icon('down')} ${texts.showMore}
            </button>`
      }`;
  }

  #hit(hit: SearchHit): TemplateResult {
    return hitTemplate(hit, snippetOf(hit), {
      data: this.data,
      language: this.language,
      avatars: this.clientState.config.avatars,
      isChosen: this.chosen === hit.id,
      isPlaceShown: this.conversation === '',
      onChoose: () => {
        this.chosen = hit.id;
        this.emit('message-selected', { id: hit.id, conversation: hit.conversation_id });
      },
    });
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.#request = undefined;
    this.isLoading = false;
  }

  #schedule(): void {
    this.#cancel();
    this.failure = undefined;
    if (this.text.trim() === '') {
      this.hits = undefined;
      this.last = undefined;
      return;
    }
    this.#timer = setTimeout(() => void this.#search(), pauseMs);
  }

  /** @param next where the next page begins; undefined for the first */
  async #search(next?: string): Promise<void> {
    const { live } = this;
    this.#cancel();
    if (live === undefined || this.text.trim() === '') return;
    const request = new AbortController();
    this.#request = request;
    this.isLoading = true;
    this.failure = undefined;
    const isScoped = this.conversation !== '' && !/(^|\s)in:\S/i.test(this.text);
    // Before the text, whose last phrase may lack its second quotation mark.
    const text = isScoped ? `in:${this.conversation} ${this.text}` : this.text;
    const known = next === undefined ? [] : (this.hits ?? []);
    try {
      let page = await live.chat.api.searchPage(text, { next, signal: request.signal });
      for (let n = 0; n < maxEmptyPages && page.hits.length === 0 && page.next !== undefined; n += 1)
        page = await live.chat.api.searchPage(text, { next: page.next, signal: request.signal });
      if (this.#request !== request) return;
      this.hits = [...known, ...page.hits];
      this.last = page;
    } catch (error) {
      if (this.#request !== request) return;
      this.hits = next === undefined ? undefined : this.hits;
      this.failure = this.errorTextOf(errorCodeOf(error));
    }
    this.#request = undefined;
    this.isLoading = false;
  }

  #onInput(event: Event): void {
    if (event.currentTarget instanceof HTMLInputElement) this.text = event.currentTarget.value;
  }

  #onSubmit(event: Event): void {
    event.preventDefault();
    void this.#search();
  }

  #onEverywhere(): void {
    this.conversation = '';
    this.focus();
  }

  /** Arrow keys move between the field and the messages. Escape ends the search. */
  #onKey(event: KeyboardEvent): void {
    if (this.text !== '' && isUnusedEscape(event)) {
      useKey(event);
      this.text = '';
      this.focus();
      return;
    }
    const step = verticalStep(event);
    if (step === 0 || isInputMethodKey(event)) return;
    event.preventDefault();
    const stops = [...this.renderRoot.querySelectorAll<HTMLElement>('input, .hit')];
    stops[stops.findIndex((stop) => stop === this.shadowRoot?.activeElement) + step]?.focus();
  }
}
