import { type Draft, type Quote, textOf, urlsOf } from '@waggle/client/browser';
import { html, nothing, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { isRecord } from '../client/browser-storage';
import { charactersLeft } from '../text/characters';
import { titleOf } from '../conversations/naming';
import { defineElement } from '../elements/define-element';
import { isInputMethodKey, isUnusedEscape, useKey } from '../elements/page-keys';
import { ActionElement } from '../elements/action-element';
import { icon } from '../theme/icons';
import type { LiveChat } from '../client/live-chat';
import type { ChatMessage } from '../store/chat-data';
import { lengthNotice } from '../elements/length-notice';
import { lineOf } from '../messages/quote';
import { LazyElement } from '../elements/lazy-element';
import { avatarStyles } from '../theme/avatar';
import { mentionSuggestions } from './mention-suggestions';
import { composerStyles } from './composer-styles';
import { type Suggestion, Suggestions, suggestionStyles } from './suggestions';
import { filesIn, maxImages, type Upload, type UploadSettings, Uploads } from './uploads';

const maxHeightPx = 200;

/** The text of a message that is being edited. */
interface Edit {
  id: string;
  text: string;
}

/**
 * A field for writing into a conversation, with images, or for editing an own message. What is written survives a
 * reload and, unless it is an edit, is on all devices of the account, with the message that it replies to.
 *
 * @fires emoji-requested - the user wants to choose an emoji, which `insert` adds to the text
 * @fires message-sent - `detail.text` is the text of the message
 */
@defineElement('waggle-composer')
export class WaggleComposer extends ActionElement {
  static override styles = [...ActionElement.styles, avatarStyles, suggestionStyles, composerStyles];

  /** Id of the conversation. */
  @property() conversation = '';

  @state() private text = '';
  /** The message that the draft replies to. */
  @state() private replyTo: Quote | undefined;
  /** Id of the message that is being edited. */
  @state() private editedId: string | undefined;
  /** The account and conversation whose draft is shown. */
  #draftKey = '';
  /** The draft from the service that is shown. */
  #saved: Draft | undefined;
  readonly #uploads = new Uploads(() => {
    this.requestUpdate();
  });
  readonly #uploadList = new LazyElement(this, 'waggle-uploads', () => import('./waggle-uploads'));
  readonly #suggestions = new Suggestions(() => ({
    field: this.field,
    language: this.language,
    mentionable: () => this.#mentionSuggestions(),
    onChange: () => {
      this.requestUpdate();
    },
  }));
  @query('input[type="file"]') private readonly fileField!: HTMLInputElement | null;
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

  /** Writes a text at the cursor, if it is not empty. */
  insert(text: string): void {
    const { field } = this;
    this.focus();
    if (field === null || text === '') return;
    field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
    this.#onInput();
  }

  /** Adds images to the draft, if the service has a host for them. @returns whether it did */
  addImages(files: readonly File[]): boolean {
    if (!this.acceptsImages || files.length === 0) return false;
    this.#showDraft();
    this.failure = undefined;
    const { texts } = this.language;
    if (this.#uploads.add(this.#draftKey, files, this.#uploadSettings) > 0)
      this.failure = { code: 'too-many-images', text: texts.tooManyImages(maxImages), account: undefined, at: 'field' };
    return true;
  }

  get #uploadSettings(): UploadSettings {
    const { config } = this.clientState;
    return { account: this.data.account, config, title: this.language.texts.signImage };
  }

  /** Whether images can be uploaded. */
  get acceptsImages(): boolean {
    return this.clientState.config.imageHost !== undefined;
  }

  /** Puts the text of an own message into the field, to edit it. The draft returns afterwards. */
  edit({ id, content, attachments }: ChatMessage): void {
    this.failure = undefined;
    this.editedId = id;
    this.#write(textOf({ content, attachments }));
    this.focus();
  }

  protected override onAccountChange(): void {
    this.#uploads.clear();
  }

  protected override willUpdate(): void {
    super.willUpdate();
    const draftKey = `${this.data.account}/${this.conversation}`;
    const saved = this.data.drafts.get(this.conversation);
    if (draftKey === this.#draftKey && saved === this.#saved) return;
    this.#saved = saved;
    if (draftKey !== this.#draftKey) this.#switchDraft(draftKey);
    if (this.editedId === undefined) this.#readDraft();
  }

  #switchDraft(draftKey: string): void {
    this.#draftKey = draftKey;
    this.failure = undefined;
    this.live?.drafts.saveChanged();
    const edit = this.live?.storage.read(this.#editKey);
    this.editedId = isEdit(edit) ? edit.id : undefined;
    if (isEdit(edit)) this.text = edit.text;
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
        ${this.#suggestions.template()} ${this.#about()} ${this.errorAt('field')}
        ${isEditing ? nothing : this.#images()}
        <div class="row">
          ${isEditing || !this.acceptsImages ? nothing : this.#imageButton()}
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
            aria-autocomplete="list"
            aria-controls=${this.#suggestions.selectedId === undefined ? nothing : 'suggestions'}
            aria-activedescendant=${this.#suggestions.selectedId ?? nothing}
            placeholder=${texts.message}
            @input=${this.#onInput}
            @keydown=${this.#onKey}
            @selectionchange=${this.#onSelectionChange}
            @blur=${this.#onBlur}
            @paste=${this.#onPaste}
          ></textarea>
          <button
            type="button"
            class="icon-button"
            aria-label=${texts.emoji}
            title=${texts.emoji}
            @click=${() => {
              this.emit('emoji-requested');
            }}
          >
            ${icon('emoji')}
          </button>
          <button
            class="icon-button send"
            aria-label=${isEditing ? texts.save : texts.send}
            ?disabled=${!this.#canSend || left < 0}
          >
            ${icon(isEditing ? 'check' : 'send')}
          </button>
        </div>
      </form>`;
  }

  #images(): TemplateResult | typeof nothing {
    const uploads = this.#uploads.of(this.#draftKey);
    if (uploads.length === 0) return nothing;
    return this.#uploadList.show(
      html`<waggle-uploads
        .client=${this.usedClient}
        .uploads=${uploads}
        .request=${this.#uploads.request}
        @upload-retried=${this.#onUploadRetried}
        @upload-removed=${this.#onUploadRemoved}
      ></waggle-uploads>`,
      this.language.texts,
    );
  }

  /** The message that is edited or replied to. */
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
        <span class="quoted ellipsis" dir="auto"
          >${lineOf(about ?? '', this.clientState.config.attachmentHosts, texts)}</span
        >
      </div>
      <button type="button" class="icon-button" aria-label=${texts.cancel} title=${texts.cancel} @click=${this.#cancel}>
        ${icon('close')}
      </button>
    </div>`;
  }

  #imageButton(): TemplateResult {
    const { addImages } = this.language.texts;
    return html`<button
        type="button"
        class="icon-button"
        aria-label=${addImages}
        title=${addImages}
        @click=${() => this.fileField?.click()}
      >
        ${icon('image')}
      </button>
      <input
        type="file"
        hidden
        multiple
        accept="image/jpeg,image/png,image/webp,image/gif"
        @change=${this.#onChosen}
      />`;
  }

  #onUploadRetried(event: CustomEvent<Upload>): void {
    event.stopPropagation();
    this.#uploads.retry(this.#draftKey, event.detail, this.#uploadSettings);
  }

  #onUploadRemoved(event: CustomEvent<Upload>): void {
    event.stopPropagation();
    this.#uploads.remove(this.#draftKey, event.detail);
  }

  #onChosen(): void {
    const { fileField } = this;
    if (fileField === null) return;
    this.addImages([...(fileField.files ?? [])]);
    // The same file may be chosen again.
    fileField.value = '';
    this.focus();
  }

  /** Ignores the picture that office programs add to copied text. */
  #onPaste(event: ClipboardEvent): void {
    const hasText = event.clipboardData?.types.includes('text/plain') === true;
    if (!hasText && this.addImages(filesIn(event.clipboardData))) event.preventDefault();
  }

  /** Whether there is something to send. An edit that leaves no text is possible if the message has images. */
  get #canSend(): boolean {
    if (this.isBusy) return false;
    if (this.editedId !== undefined) return this.text.trim() !== '' || this.#edited?.attachments !== undefined;
    const uploads = this.#uploads.of(this.#draftKey);
    return this.#uploads.areReady(this.#draftKey) && (this.text.trim() !== '' || uploads.length > 0);
  }

  /** Ends the edit; otherwise the draft is no longer a reply. */
  #cancel(): void {
    if (this.editedId === undefined) this.#setReply(undefined);
    else this.#showDraft();
    this.focus();
  }

  #setReply(quote: Quote | undefined): void {
    this.replyTo = quote;
    this.#write(this.text);
  }

  #showDraft(): void {
    this.live?.storage.remove(this.#editKey);
    this.editedId = undefined;
    this.failure = undefined;
    this.#readDraft();
  }

  #readDraft(): void {
    const { text = '', replyTo } = this.live?.drafts.of(this.conversation) ?? {};
    this.text = text;
    this.replyTo = replyTo;
  }

  #onFormKey(event: KeyboardEvent): void {
    if ((this.replyTo ?? this.editedId) === undefined || !isUnusedEscape(event)) return;
    useKey(event);
    event.preventDefault();
    this.#cancel();
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
    const { editedId: id, replyTo } = this;
    if (id === undefined) this.live?.drafts.write(this.conversation, { text, replyTo });
    else this.live?.storage.write(this.#editKey, { id, text } satisfies Edit);
  }

  get #editKey(): string {
    return `edit:${this.conversation}`;
  }

  #mentionSuggestions(): Suggestion[] {
    const conversation = this.data.conversations.get(this.conversation);
    if (conversation === undefined) return [];
    return mentionSuggestions(conversation, {
      account: this.data.account,
      messages: this.#messages,
      avatars: this.clientState.config.avatars,
      texts: this.language.texts,
    });
  }

  #onSelectionChange(): void {
    if (this.#suggestions.isOpen) this.#suggestions.update();
  }

  #onBlur(): void {
    this.#suggestions.close();
    this.live?.drafts.saveChanged();
  }

  #onInput(): void {
    this.#write(this.field?.value ?? '');
    this.#suggestions.update();
    if (this.text !== '' && this.editedId === undefined) this.live?.chat.typing(this.conversation);
  }

  #onKey(event: KeyboardEvent): void {
    if (this.#suggestions.onKey(event)) return;
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
    if (live === undefined || !this.#canSend || charactersLeft(text) < 0) return;
    if (this.editedId !== undefined) {
      void this.#save(live, this.editedId, text);
      return;
    }
    const attachments = this.#uploads.take(this.#draftKey);
    live.messages.send(this.conversation, text, this.replyTo?.id, attachments.length === 0 ? undefined : attachments);
    this.replyTo = undefined;
    this.#write('');
    live.drafts.saveChanged();
    this.emit('message-sent', { text });
  }

  async #save(live: LiveChat, id: string, text: string): Promise<void> {
    const key = this.#editKey;
    await this.attempt('field', async () => {
      try {
        const edited = this.#edited;
        const isSame = edited !== undefined && textOf(edited) === text;
        if (!isSame) await live.chat.editMessage(id, text === '' ? urlsOf(edited?.attachments) : text);
        live.storage.remove(key);
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
