import type { MentioningMessage } from '@waggle/client/browser';
import { css, html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { errorCodeOf } from '../client/error-code';
import type { LiveChat } from '../client/live-chat';
import { defineElement } from '../elements/define-element';
import { WaggleElement } from '../elements/waggle-element';
import { hitStyles, hitTemplate } from '../search/hit';
import { unreadMentions } from '../store/mentioned';
import { previewOf } from '../text/preview';
import { avatarStyles } from '../theme/avatar';
import { icon } from '../theme/icons';
import { panelStyles } from '../theme/panel';

/** Messages that are shown at once. */
const shownAtOnce = 30;

/**
 * The messages that mention the account or reply to its messages, the newest first.
 *
 * @fires message-selected - `detail` has the `id` of the message that the user has chosen, and its `conversation`
 */
@defineElement('waggle-mentions')
export class WaggleMentions extends WaggleElement {
  static override styles = [
    ...WaggleElement.styles,
    avatarStyles,
    panelStyles,
    hitStyles,
    css`
      .is-unread .name > bdi::before {
        content: '';
        display: inline-block;
        margin-inline-end: 8px;
        border: 4px solid var(--_accent);
        border-radius: 50%;
      }
    `,
  ];

  @state() private messages: readonly MentioningMessage[] = [];
  @state() private isLoading = true;
  @state() private hasMore = false;
  @state() private failure: string | undefined;
  @state() private chosen: string | undefined;
  /** What was not fetched yet. */
  #remaining: AsyncIterator<MentioningMessage, void> | undefined;
  /** The chat whose messages are shown, and how many mentions were unread when they were fetched. */
  #fetched: { live: LiveChat; mentionCount: number } | undefined;

  protected override willUpdate(): void {
    super.willUpdate();
    const { live } = this;
    if (live === undefined) return;
    const mentionCount = unreadMentions(this.data.conversations);
    const fetched = this.#fetched;
    // Fetched again only if there are more: messages that are read meanwhile stay.
    const isCurrent = fetched?.live === live && mentionCount <= fetched.mentionCount;
    this.#fetched = { live, mentionCount };
    if (!isCurrent) void this.#reload();
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const { failure, messages } = this;
    const status =
      failure !== undefined
        ? html`<p class="error" role="alert" dir="auto">
            ${this.errorTextOf(failure)} <button class="button" @click=${this.#reload}>${texts.retry}</button>
          </p>`
        : messages.length > 0
          ? nothing
          : html`<p class="empty muted" role="status" dir="auto">
              ${this.isLoading ? texts.loading : texts.noMentions}
            </p>`;
    return html`<ul class="list" aria-label=${texts.mentionsTitle}>
        ${repeat(
          messages,
          ({ id }) => id,
          (message) => html`<li class=${message.unread ? 'is-unread' : ''}>${this.#item(message)}</li>`,
        )}
      </ul>
      ${status}
      ${
        this.hasMore && failure === undefined
          ? html`<button class="entry" ?disabled=${this.isLoading} @click=${this.#showMore}>
              ${icon('down')} ${texts.showMore}
            </button>`
          : nothing
      }`;
  }

  #item(message: MentioningMessage): TemplateResult {
    const { id, conversation_id: conversation, content } = message;
    const text = previewOf(content, this.clientState.config.attachmentHosts, this.language.texts);
    return hitTemplate(message, [{ text, isMatch: false }], {
      data: this.data,
      language: this.language,
      avatars: this.clientState.config.avatars,
      isChosen: this.chosen === id,
      isPlaceShown: true,
      onChoose: () => {
        this.chosen = id;
        this.emit('message-selected', { id, conversation });
      },
    });
  }

  /** Fetches from the beginning as many messages as are shown. */
  readonly #reload = async (): Promise<void> => {
    if (this.live === undefined) return;
    this.#remaining = this.live.chat.api.mentions()[Symbol.asyncIterator]();
    await this.#load([], Math.max(this.messages.length, shownAtOnce));
  };

  readonly #showMore = async (): Promise<void> => {
    await this.#load(this.messages, this.messages.length + shownAtOnce);
  };

  async #load(known: readonly MentioningMessage[], count: number): Promise<void> {
    const remaining = this.#remaining;
    if (remaining === undefined) return;
    this.isLoading = true;
    this.failure = undefined;
    const messages = [...known];
    let hasMore = true;
    try {
      while (hasMore && messages.length < count) {
        const next = await remaining.next();
        if (next.done === true) hasMore = false;
        else messages.push(next.value);
      }
      if (remaining !== this.#remaining) return;
      this.messages = messages;
      this.hasMore = hasMore;
    } catch (error) {
      if (remaining !== this.#remaining) return;
      this.failure = errorCodeOf(error);
    }
    this.isLoading = false;
  }
}
