import { createClientId } from '@waggle/client/browser';
import { css, html, nothing, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { charactersLeft } from '../client/characters';
import { isRecord } from '../client/browser-storage';
import type { LiveChat } from '../client/live-chat';
import { defineElement } from '../elements/define-element';
import { accountIn } from '../elements/account-form';
import { ActionElement, type AttemptOptions, type ErrorPlace, InvalidInput } from '../elements/action-element';
import { panelStyles } from '../theme/panel';

const draftKey = 'new-conversation';

/** Codes of errors that the recipients cause. */
const ofRecipients: ReadonlySet<string> = new Set([
  'account-not-found',
  'blocked',
  'friends-only',
  'forbidden',
  'too-large',
]);

/**
 * Begins a dm, a group or a channel, or opens a channel by its link.
 *
 * @fires conversation-selected - `detail.id` is the new conversation
 */
@defineElement('waggle-new-conversation')
export class WaggleNewConversation extends ActionElement {
  static override styles = [
    ...ActionElement.styles,
    panelStyles,
    css`
      textarea.field {
        min-height: 88px;
        resize: vertical;
      }

      .friends {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
      }

      .friends .button {
        min-height: 32px;
        padding: 4px 12px;
        border-radius: 16px;
      }

      .friends .button[aria-pressed='true'] {
        border-color: var(--_accent);
        background: var(--_selected);
      }
    `,
  ];

  /** Accounts to begin with, separated by spaces. */
  @property() to = '';

  /** The first message. It and the accounts survive a reload. */
  @state() private text = '';

  @query('#text') private readonly textField!: HTMLTextAreaElement;
  @query('#channel') private readonly channelField!: HTMLInputElement;
  @query('#link') private readonly linkField!: HTMLInputElement;

  protected override firstUpdated(): void {
    const draft = this.live?.storage.read(draftKey);
    if (!isRecord(draft) || typeof draft['to'] !== 'string' || typeof draft['text'] !== 'string') return;
    if (this.to !== '' && this.to !== draft['to']) return;
    this.to = draft['to'];
    this.text = draft['text'];
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const { friends } = this.data.people;
    const accounts = accountsIn(this.to);
    return html`<form @submit=${this.#onCreate}>
        <label
          >${texts.recipients}
          <input
            id="to"
            class="field"
            .value=${this.to}
            required
            autocapitalize="none"
            autocomplete="off"
            spellcheck="false"
            aria-describedby="hint"
            @input=${this.#onInput}
          />
        </label>
        ${this.errorAt('to')}
        <p id="hint" class="muted">${texts.recipientsHint}</p>
        ${
          friends.length === 0
            ? nothing
            : html`<div class="friends" role="group" aria-label=${texts.friends}>
                ${friends.map(
                  (friend) =>
                    html`<button
                      class="button"
                      type="button"
                      aria-pressed=${accounts.includes(friend) ? 'true' : 'false'}
                      @click=${() => {
                        this.#toggle(friend);
                      }}
                    >
                      ${friend}
                    </button>`,
                )}
              </div>`
        }
        <label
          >${texts.firstMessage}
          <textarea id="text" class="field" dir="auto" required .value=${this.text} @input=${this.#onText}></textarea>
        </label>
        <button class="button primary" ?disabled=${this.isBusy}>
          ${accounts.length > 1 ? texts.createGroup : texts.send}
        </button>
        ${this.errorAt('send')}
      </form>
      <form @submit=${this.#onCreateChannel}>
        <h2>${texts.createChannelTitle}</h2>
        <p class="muted">${texts.createChannelHint}</p>
        <label
          >${texts.name}
          <input id="channel" class="field" dir="auto" required maxlength="64" autocomplete="off" />
        </label>
        ${this.errorAt('channel')}
        <button class="button" ?disabled=${this.isBusy}>${texts.createChannel}</button>
      </form>
      <form @submit=${this.#onOpenChannel}>
        <h2>${texts.openChannelTitle}</h2>
        <label
          >${texts.channelLink}
          <input id="link" class="field" required autocomplete="off" spellcheck="false" />
        </label>
        ${this.errorAt('link')}
        <button class="button" ?disabled=${this.isBusy}>${texts.openChannel}</button>
      </form>`;
  }

  #onInput(event: Event): void {
    if (!(event.currentTarget instanceof HTMLInputElement)) return;
    this.to = event.currentTarget.value;
    this.#saveDraft();
  }

  /** Limits the length in Unicode characters: `maxlength` counts some of them twice. */
  #onText(): void {
    const { textField } = this;
    this.text = textField.value;
    this.#saveDraft();
    const isTooLong = charactersLeft(textField.value.trim()) < 0;
    textField.setCustomValidity(isTooLong ? this.errorTextOf('too-large') : '');
  }

  #toggle(friend: string): void {
    const accounts = accountsIn(this.to);
    const toggled = accounts.includes(friend) ? accounts.filter((each) => each !== friend) : [...accounts, friend];
    this.to = toggled.join(' ');
    this.#saveDraft();
  }

  #saveDraft(): void {
    const { to, text } = this;
    if (text === '') this.live?.storage.remove(draftKey);
    else this.live?.storage.write(draftKey, { to, text });
  }

  #onCreate(event: SubmitEvent): void {
    event.preventDefault();
    const { texts } = this.language;
    const accounts = accountsIn(this.to);
    const options = { accounts, texts: { 'too-large': texts.tooManyMembers } };
    const begin = async (live: LiveChat): Promise<string> => {
      if (accounts.every((account) => account === this.data.account)) throw new InvalidInput(texts.ownAccount);
      const clientId = createClientId();
      // From here on the outbox keeps the text.
      live.storage.remove(draftKey);
      try {
        return await live.messages.begin(clientId, accounts, this.text.trim());
      } catch (error) {
        // Otherwise the message is shown as failed.
        if (this.isConnected) {
          live.messages.discard(clientId);
          this.#saveDraft();
        }
        throw error;
      }
    };
    void this.#open((code) => (code === undefined || ofRecipients.has(code) ? 'to' : 'send'), begin, options);
  }

  #onCreateChannel(event: SubmitEvent): void {
    event.preventDefault();
    void this.#open('channel', (live) => live.conversations.createChannel(this.channelField.value.trim()));
  }

  #onOpenChannel(event: SubmitEvent): void {
    event.preventDefault();
    const { noChannel } = this.language.texts;
    const follow = async (live: LiveChat): Promise<string> => {
      const id = this.linkField.value.trim().split('/').at(-1) ?? '';
      await live.conversations.follow(id);
      return id;
    };
    void this.#open('link', follow, { texts: { 'not-found': noChannel, 'invalid-request': noChannel } });
  }

  async #open(at: ErrorPlace, action: (live: LiveChat) => Promise<string>, options?: AttemptOptions): Promise<void> {
    const { live } = this;
    if (live === undefined) return;
    let id: string | undefined;
    const begin = async (): Promise<void> => {
      id = await action(live);
    };
    const isDone = await this.attempt(at, begin, options);
    if (isDone) this.emit('conversation-selected', { id });
  }
}

function accountsIn(text: string): string[] {
  const accounts = text.split(/[\s,;]+/).map(accountIn);
  return [...new Set(accounts)].filter((account) => account !== '');
}
