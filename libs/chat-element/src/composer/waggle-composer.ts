import type { Quote } from '@waggle/client/browser';
import { css, html, nothing, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { isRecord } from '../client/browser-storage';
import { charactersLeft } from '../client/characters';
import { titleOf } from '../conversations/naming';
import { defineElement } from '../elements/define-element';
import { isInputMethodKey, isUnusedEscape, useKey } from '../elements/page-keys';
import { WaggleElement } from '../elements/waggle-element';
import { icon } from '../theme/icons';
import { lengthNotice } from '../elements/length-notice';
import { lineOf } from '../messages/quote';

const maxHeightPx = 200;

/**
 * A field for writing into a conversation. A draft survives a reload, with the message that it replies to.
 *
 * @fires message-sent - `detail.text` is the text of the message
 */
@defineElement('waggle-composer')
export class WaggleComposer extends WaggleElement {
  static override styles = [
    ...WaggleElement.styles,
    css`
      :host {
        display: block;
      }

      form {
        border-block-start: 1px solid var(--_border);
        background: var(--_surface);
      }

      /* As wide as the messages. */
      .row {
        align-items: end;
        max-width: 860px;
        margin-inline: auto;
        padding: 8px 16px;
        padding-block-end: max(8px, env(safe-area-inset-bottom));
      }

      textarea.field {
        display: block;
        flex: 1;
        min-width: 0;
        height: var(--_target);
        max-height: calc(12.5 * var(--_rem));
        padding: calc((var(--_target) - 1.4em - 2px) / 2) 16px;
        border-radius: calc(var(--_target) / 2);
        resize: none;
        overflow-y: auto;
      }

      .send:enabled {
        background: var(--_accent);
        color: var(--_on-accent);
      }

      .send:enabled:hover {
        background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
      }

      @media (forced-colors: active) {
        .send:enabled {
          border: 1px solid;
        }
      }

      .about {
        display: flex;
        align-items: center;
        gap: 8px;
        max-width: 860px;
        margin-inline: auto;
        padding: 4px 16px 0;
        color: var(--_accent-text);
        font-size: var(--_text-sm);
      }

      .about svg {
        flex: none;
      }

      .about strong {
        font-weight: 600;
      }

      .about .quoted {
        display: block;
        color: var(--_muted);
        text-align: start;
      }

      .counter {
        padding-inline: 16px;
        background: var(--_surface);
        text-align: end;
      }
    `,
  ];

  /** Id of the conversation. */
  @property() conversation = '';

  @state() private text = '';
  /** The message that the draft replies to. */
  @state() private replyTo: Quote | undefined;
  /** Account and conversation whose draft is shown. */
  #shown = '';
  @query('textarea') private readonly field!: HTMLTextAreaElement | null;

  override focus(): void {
    void this.updateComplete.then(() => this.field?.focus());
  }

  /** Makes the draft a reply to a message. */
  reply({ id, from, content }: Quote): void {
    this.#setReply({ id, from, content });
    this.focus();
  }

  protected override willUpdate(): void {
    super.willUpdate();
    const shown = `${this.data.account}/${this.conversation}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.text = this.#draft;
    const quote = this.live?.storage.read(`reply:${this.conversation}`);
    this.replyTo = isQuote(quote) ? quote : undefined;
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('text')) this.#fit();
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const conversation = this.data.conversations.get(this.conversation);
    const title = conversation === undefined ? '' : titleOf(conversation, this.data.account, this.language);
    const left = charactersLeft(this.text);
    return html`${lengthNotice(this.text, this.language)}
      <form part="composer" @submit=${this.#onSubmit} @keydown=${this.#onFormKey}>
        <div id="about">${this.#about()}</div>
        <div class="row">
          <textarea
            class="field"
            dir=${this.text === '' ? nothing : 'auto'}
            rows="1"
            enterkeyhint="send"
            .value=${this.text}
            aria-label=${texts.writeMessage(title)}
            aria-describedby="about"
            placeholder=${texts.message}
            @input=${this.#onInput}
            @keydown=${this.#onKey}
          ></textarea>
          <button class="icon-button send" aria-label=${texts.send} ?disabled=${this.text.trim() === '' || left < 0}>
            ${icon('send')}
          </button>
        </div>
      </form>`;
  }

  /** What the field is for, unless it is for a new message. */
  #about(): TemplateResult | typeof nothing {
    const { texts } = this.language;
    const { replyTo } = this;
    if (replyTo === undefined) return nothing;
    return html`<div class="about">
      ${icon('reply')}
      <div class="grow">
        <strong class="ellipsis">${texts.replyingTo(replyTo.from)}</strong>
        <span class="quoted ellipsis" dir="auto">${lineOf(replyTo.content ?? texts.deletedMessage)}</span>
      </div>
      <button type="button" class="icon-button" aria-label=${texts.cancel} title=${texts.cancel} @click=${this.#cancel}>
        ${icon('close')}
      </button>
    </div>`;
  }

  #cancel(): void {
    this.#setReply(undefined);
    this.focus();
  }

  #setReply(quote: Quote | undefined): void {
    this.replyTo = quote;
    if (quote === undefined) this.live?.storage.remove(`reply:${this.conversation}`);
    else this.live?.storage.write(`reply:${this.conversation}`, quote);
  }

  #onFormKey(event: KeyboardEvent): void {
    if (this.replyTo === undefined || !isUnusedEscape(event)) return;
    useKey(event);
    event.preventDefault();
    this.#cancel();
  }

  get #draft(): string {
    const draft = this.live?.storage.read(`draft:${this.conversation}`);
    return typeof draft === 'string' ? draft : '';
  }

  #write(text: string): void {
    this.text = text;
    if (text === '') this.live?.storage.remove(`draft:${this.conversation}`);
    else this.live?.storage.write(`draft:${this.conversation}`, text);
  }

  #onInput(): void {
    this.#write(this.field?.value ?? '');
    if (this.text !== '') this.live?.chat.typing(this.conversation);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || isInputMethodKey(event)) return;
    event.preventDefault();
    this.#submit();
  }

  #onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    this.#submit();
    this.field?.focus();
  }

  #submit(): void {
    const text = this.text.trim();
    const { live } = this;
    // A text that cannot be sent stays.
    if (live === undefined || text === '' || charactersLeft(text) < 0) return;
    live.messages.send(this.conversation, text, this.replyTo?.id);
    this.#write('');
    this.#setReply(undefined);
    this.emit('message-sent', { text });
  }

  /** Grows with the text. The style is set by script, which a strict Content-Security-Policy allows. */
  #fit(): void {
    const { field } = this;
    if (field === null) return;
    field.style.height = 'auto';
    // `scrollHeight` lacks the borders, of 1 px each.
    field.style.height = `${Math.min(field.scrollHeight + 2, maxHeightPx)}px`;
  }
}

function isQuote(value: unknown): value is Quote {
  return (
    isRecord(value) &&
    typeof value['id'] === 'string' &&
    typeof value['from'] === 'string' &&
    (value['content'] === null || typeof value['content'] === 'string')
  );
}
