import type { Conversation } from '@waggle/client/browser';
import { css, html, nothing, type TemplateResult } from 'lit';
import { query, state } from 'lit/decorators.js';
import { errorCodeOf } from '../client/error-code';
import type { LiveChat } from '../client/live-chat';
import { ActionElement, type AttemptOptions } from '../elements/action-element';
import { defineElement } from '../elements/define-element';
import { avatar, avatarStyles } from '../theme/avatar';
import { panelStyles } from '../theme/panel';
import { sortedConversations } from '../store/conversation-order';

/**
 * The channels that the account knows. Creates channels, and opens them by their links.
 *
 * @fires conversation-selected - `detail.id` is the channel to show
 */
@defineElement('waggle-channels')
export class WaggleChannels extends ActionElement {
  static override styles = [
    ...ActionElement.styles,
    avatarStyles,
    panelStyles,
    css`
      :host {
        padding: 0;
        overflow: visible;
      }

      button.entry {
        width: calc(100% + 16px);
      }

      #hint {
        margin-block-start: -4px;
      }
    `,
  ];

  /** Also those that the account has left. */
  @state() private created: readonly Conversation[] = [];
  /** The code of the error why they could not be loaded. */
  @state() private loadError: string | undefined;

  @query('#channel') private readonly channelField!: HTMLInputElement;
  @query('#link') private readonly linkField!: HTMLInputElement;

  protected override firstUpdated(): void {
    void this.#load();
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const channels = this.#channels();
    return html`<section>
        <h3 class="heading">${texts.myChannels}</h3>
        ${channels.length === 0 ? html`<p class="muted">${texts.noChannels}</p>` : nothing}
        <ul class="list">
          ${channels.map((channel) => html`<li>${this.#entry(channel)}</li>`)}
        </ul>
        ${this.loadError === undefined ? nothing : html`<p class="error" role="alert">${this.errorTextOf(this.loadError)}</p>`}
      </section>
      <form @submit=${this.#onOpen}>
        <label for="link">${texts.openChannelTitle}</label>
        <div class="row">
          <input
            id="link"
            class="field"
            required
            autocomplete="off"
            spellcheck="false"
            placeholder=${texts.channelLink}
          />
          <button class="button" ?disabled=${this.isBusy}>${texts.openChannel}</button>
        </div>
        ${this.errorAt('link')}
      </form>
      <form @submit=${this.#onCreate}>
        <label for="channel">${texts.createChannelTitle}</label>
        <div class="row">
          <input
            id="channel"
            class="field"
            dir="auto"
            required
            maxlength="64"
            autocomplete="off"
            placeholder=${texts.name}
            aria-describedby="hint"
          />
          <button class="button" ?disabled=${this.isBusy}>${texts.create}</button>
        </div>
        <p id="hint" class="muted">${texts.createChannelHint}</p>
        ${this.errorAt('channel')}
      </form>`;
  }

  #entry({ id, name = '', creator, members }: Conversation): TemplateResult {
    const { texts, formats } = this.language;
    const count = texts.members(members.length, formats);
    return html`<button
      class="entry"
      @click=${() => {
        this.emit('conversation-selected', { id });
      }}
    >
      ${avatar(name, { kind: 'channel' })}
      <span class="grow">
        <div class="ellipsis"><bdi>${name}</bdi></div>
        <div class="muted">${creator === this.data.account ? `${count} · ${texts.createdByYou}` : count}</div>
      </span>
    </button>`;
  }

  /** Those in the list of conversations, and those that the account created. */
  #channels(): Conversation[] {
    const { conversations } = this.data;
    const listed = sortedConversations(conversations).filter(({ type }) => type === 'channel');
    return [...listed, ...this.created.filter(({ id }) => !conversations.has(id))];
  }

  /** The forms can be used meanwhile. */
  async #load(): Promise<void> {
    try {
      this.created = (await this.live?.chat.api.channels()) ?? [];
    } catch (error) {
      this.loadError = errorCodeOf(error);
    }
  }

  #onCreate(event: SubmitEvent): void {
    event.preventDefault();
    void this.#open('channel', (live) => live.conversations.createChannel(this.channelField.value.trim()));
  }

  #onOpen(event: SubmitEvent): void {
    event.preventDefault();
    const { noChannel } = this.language.texts;
    const follow = async (live: LiveChat): Promise<string> => {
      const id = this.linkField.value.trim().split('/').at(-1) ?? '';
      await live.conversations.follow(id);
      return id;
    };
    void this.#open('link', follow, { texts: { 'not-found': noChannel, 'invalid-request': noChannel } });
  }

  async #open(at: string, action: (live: LiveChat) => Promise<string>, options?: AttemptOptions): Promise<void> {
    const { live } = this;
    if (live === undefined) return;
    let id: string | undefined;
    const begin = async (): Promise<void> => {
      id = await action(live);
    };
    if (await this.attempt(at, begin, options)) this.emit('conversation-selected', { id });
  }
}
