import type { Quote } from '@waggle/client/browser';
import { css, html, nothing, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { isRecord } from '../client/browser-storage';
import { charactersLeft } from '../client/characters';
import { titleOf } from '../conversations/naming';
import { defineElement } from '../elements/define-element';
import { isInputMethodKey, isUnusedEscape, useKey } from '../elements/page-keys';
import { ActionElement } from '../elements/action-element';
import { icon } from '../theme/icons';
import type { LiveChat } from '../client/live-chat';
import type { ChatMessage } from '../store/chat-data';
import { lengthNotice } from '../elements/length-notice';
import { lineOf } from '../messages/quote';

const maxHeightPx = 200;

/** What is stored for each conversation. */
type Stored = 'draft' | 'reply' | 'edit';

/** The text of a message that is being edited. */
interface Edit {
  id: string;
  text: string;
}

/**
 * A field for writing into a conversation, or for editing an own message. What is written survives a reload, with the
 * message that it replies to.
 *
 * @fires message-sent - `detail.text` is the text of the message
 */
@defineElement('waggle-composer')
export class WaggleComposer extends ActionElement {
  static override styles = [
    ...ActionElement.styles,
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

      .about[hidden] {
        display: none;
      }

      form > .error {
        max-width: 860px;
        margin-inline: auto;
        padding: 4px 16px 0;
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
  /** Id of the message that is being edited. */
  @state() private editedId: string | undefined;
  /** Account and conversation whose draft is shown. */
  #shown = '';
  @query('textarea') private readonly field!: HTMLTextAreaElement | null;

  override focus(): void {
    void this.updateComplete.then(() => this.field?.focus());
  }

  /** Makes the draft a reply to a message. */
  reply({ id, from, content }: Quote): void {
    this.#showDraft();
    this.#setReply({ id, from, content });
    this.focus();
  }

  /** Puts the text of an own message into the field, to edit it. The draft returns afterwards. */
  edit({ id, content }: ChatMessage): void {
    this.failure = undefined;
    this.editedId = id;
    this.#write(content);
    this.focus();
  }

  protected override willUpdate(): void {
    super.willUpdate();
    const shown = `${this.data.account}/${this.conversation}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.failure = undefined;
    const quote = this.#read('reply');
    this.replyTo = isQuote(quote) ? quote : undefined;
    const edit = this.#read('edit');
    this.editedId = isEdit(edit) ? edit.id : undefined;
    this.text = isEdit(edit) ? edit.text : this.#draft;
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('text')) this.#fit();
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const conversation = this.data.conversations.get(this.conversation);
    const title = conversation === undefined ? '' : titleOf(conversation, this.data.account, this.language);
    const left = charactersLeft(this.text);
    const isEditing = this.editedId !== undefined;
    return html`${lengthNotice(this.text, this.language)}
      <form part="composer" @submit=${this.#onSubmit} @keydown=${this.#onFormKey}>
        ${this.#about()} ${this.errorAt('field')}
        <div class="row">
          <textarea
            id="field"
            class="field"
            dir=${this.text === '' ? nothing : 'auto'}
            rows="1"
            enterkeyhint="send"
            .value=${this.text}
            aria-label=${isEditing ? texts.edit : texts.writeMessage(title)}
            ?readonly=${this.isBusy}
            aria-describedby="about"
            placeholder=${texts.message}
            @input=${this.#onInput}
            @keydown=${this.#onKey}
          ></textarea>
          <button
            class="icon-button send"
            aria-label=${isEditing ? texts.save : texts.send}
            ?disabled=${this.isBusy || this.text.trim() === '' || left < 0}
          >
            ${icon(isEditing ? 'check' : 'send')}
          </button>
        </div>
      </form>`;
  }

  /** What the field is for, unless it is for a new message. */
  #about(): TemplateResult {
    const { texts } = this.language;
    const { replyTo } = this;
    const isEditing = this.editedId !== undefined;
    const about = isEditing ? this.#edited?.content : (replyTo?.content ?? texts.deletedMessage);
    return html`<div class="about" ?hidden=${!isEditing && replyTo === undefined}>
      ${icon(isEditing ? 'edit' : 'reply')}
      <div id="about" class="grow">
        <strong class="ellipsis"
          >${isEditing ? texts.editing : replyTo === undefined ? '' : texts.replyingTo(replyTo.from)}</strong
        >
        <span class="quoted ellipsis" dir="auto">${lineOf(about ?? '')}</span>
      </div>
      <button type="button" class="icon-button" aria-label=${texts.cancel} title=${texts.cancel} @click=${this.#cancel}>
        ${icon('close')}
      </button>
    </div>`;
  }

  /** Ends the edit; otherwise the draft is no longer a reply. */
  #cancel(): void {
    if (this.editedId === undefined) this.#setReply(undefined);
    else this.#showDraft();
    this.focus();
  }

  #setReply(quote: Quote | undefined): void {
    this.replyTo = quote;
    this.#store('reply', quote);
  }

  #showDraft(): void {
    this.#store('edit', undefined);
    this.editedId = undefined;
    this.failure = undefined;
    this.text = this.#draft;
  }

  #onFormKey(event: KeyboardEvent): void {
    if ((this.replyTo ?? this.editedId) === undefined || !isUnusedEscape(event)) return;
    useKey(event);
    event.preventDefault();
    this.#cancel();
  }

  get #draft(): string {
    const draft = this.#read('draft');
    return typeof draft === 'string' ? draft : '';
  }

  /** The messages that are loaded. */
  get #messages(): readonly ChatMessage[] {
    return this.data.windows.get(this.conversation)?.messages ?? [];
  }

  /** The message that is being edited, if it is loaded. */
  get #edited(): ChatMessage | undefined {
    return this.#messages.find(({ id }) => id === this.editedId);
  }

  #write(text: string): void {
    this.text = text;
    const id = this.editedId;
    if (id === undefined) this.#store('draft', text === '' ? undefined : text);
    else this.#store('edit', { id, text } satisfies Edit);
  }

  #read(kind: Stored): unknown {
    return this.live?.storage.read(`${kind}:${this.conversation}`);
  }

  #store(kind: Stored, value: unknown): void {
    const key = `${kind}:${this.conversation}`;
    if (value === undefined) this.live?.storage.remove(key);
    else this.live?.storage.write(key, value);
  }

  #onInput(): void {
    this.#write(this.field?.value ?? '');
    if (this.text !== '' && this.editedId === undefined) this.live?.chat.typing(this.conversation);
  }

  #onKey(event: KeyboardEvent): void {
    if (this.#isEditKey(event)) {
      const last = this.#messages.findLast(({ from }) => from === this.data.account);
      if (last === undefined) return;
      event.preventDefault();
      this.edit(last);
      return;
    }
    if (event.key !== 'Enter' || event.shiftKey || isInputMethodKey(event)) return;
    event.preventDefault();
    this.#submit();
  }

  /** Whether it is the key that edits the last own message. */
  #isEditKey(event: KeyboardEvent): boolean {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    const isFree = this.text === '' && this.replyTo === undefined && this.editedId === undefined;
    return key === 'ArrowUp' && isFree && !(altKey || ctrlKey || metaKey || shiftKey) && !isInputMethodKey(event);
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
    if (live === undefined || this.isBusy || text === '' || charactersLeft(text) < 0) return;
    if (this.editedId !== undefined) {
      void this.#save(live, this.editedId, text);
      return;
    }
    live.messages.send(this.conversation, text, this.replyTo?.id);
    this.#write('');
    this.#setReply(undefined);
    this.emit('message-sent', { text });
  }

  async #save(live: LiveChat, id: string, text: string): Promise<void> {
    const { conversation } = this;
    await this.attempt('field', async () => {
      try {
        if (this.#edited?.content !== text) await live.chat.editMessage(id, text);
        live.storage.remove(`${'edit' satisfies Stored}:${conversation}`);
        if (this.editedId === id) this.#showDraft();
      } catch (error) {
        // Otherwise the user is elsewhere; the text is kept.
        if (this.editedId === id) throw error;
      }
    });
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

function isEdit(value: unknown): value is Edit {
  return isRecord(value) && typeof value['id'] === 'string' && typeof value['text'] === 'string';
}

function isQuote(value: unknown): value is Quote {
  return (
    isRecord(value) &&
    typeof value['id'] === 'string' &&
    typeof value['from'] === 'string' &&
    (value['content'] === null || typeof value['content'] === 'string')
  );
}
