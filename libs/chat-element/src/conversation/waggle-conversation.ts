import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import '../composer/waggle-composer';
import { otherAccount, titleOf } from '../conversations/naming';
import { WaggleElement } from '../shell/waggle-element';
import type { ConversationData } from '../store/chat-data';
import { avatar, avatarStyles } from '../theme/avatar';
import { icon } from '../theme/icons';
import './waggle-message-list';

/**
 * One conversation: its header, messages and a field to write.
 *
 * @fires back-requested - the user leaves the conversation on a narrow screen
 * @fires details-requested - the user wants to see the members
 */
@customElement('waggle-conversation')
export class WaggleConversation extends WaggleElement {
  static override styles = [
    ...WaggleElement.styles,
    avatarStyles,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr) auto auto;
        height: 100%;
        min-height: 0;
        background: var(--_canvas);
        container-type: inline-size;
      }

      header {
        display: flex;
        align-items: center;
        gap: 8px;
        min-height: 64px;
        padding: 8px 16px;
        border-block-end: 1px solid var(--_border);
        background: var(--_surface);
      }

      .title {
        display: flex;
        align-items: center;
        gap: 12px;
        padding: 4px;
        border-radius: 8px;
      }

      h2 {
        font-size: 16px;
      }

      .typing {
        height: 24px;
        padding: 0 24px;
        overflow: hidden;
        background: var(--_canvas);
      }

      .notice {
        padding: 16px;
        border-block-start: 1px solid var(--_border);
        background: var(--_surface);
        text-align: center;
      }

      .back {
        display: none;
      }

      :host([can-go-back]) .back {
        display: inline-grid;
      }
    `,
  ];

  /** Id of the conversation. */
  @property() conversation = '';

  /** Shows a button to go back to the list. */
  @property({ type: Boolean, reflect: true, attribute: 'can-go-back' }) canGoBack = false;

  @query('waggle-composer') private readonly composer!: HTMLElement | null;

  override focus(): void {
    this.composer?.focus();
  }

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const conversation = this.data.conversations.get(this.conversation);
    if (conversation === undefined) {
      const { phase } = this.clientState;
      return html`<div class="empty" role="status">
        ${phase === 'ready' ? texts.errors.notFound : phase === 'signed-out' ? texts.signInTitle : texts.loading}
      </div>`;
    }
    return html`${this.header(conversation)}
      <waggle-message-list
        .client=${this.usedClient}
        .conversation=${this.conversation}
        exportparts="messages, bubble, own-bubble"
      ></waggle-message-list>
      <div class="typing muted ellipsis" role="status">${this.typing(conversation)}</div>
      ${
        conversation.blocked
          ? html`<p class="notice muted">${texts.blockedNotice}</p>`
          : html`<waggle-composer
              .client=${this.usedClient}
              .conversation=${this.conversation}
              exportparts="composer"
            ></waggle-composer>`
      }`;
  }

  private header(conversation: ConversationData): TemplateResult {
    const { language, data } = this;
    const { texts } = language;
    const title = titleOf(conversation, data.account, language);
    const other = otherAccount(conversation, data.account);
    const { avatars: pattern } = this.clientState.config;
    return html`<header part="header">
      <button
        class="icon-button back"
        aria-label=${texts.back}
        @click=${() => {
          this.send('back-requested');
        }}
      >
        ${icon('back')}
      </button>
      <button
        class="title grow"
        @click=${() => {
          this.send('details-requested');
        }}
      >
        ${avatar(conversation.type === 'dm' ? other : title, { pattern, kind: conversation.type })}
        <span class="grow">
          <h2 class="ellipsis"><bdi>${title}</bdi></h2>
          <span class="muted ellipsis">${this.subtitle(conversation, other)}</span>
        </span>
      </button>
    </header>`;
  }

  private subtitle({ type, members }: ConversationData, other: string): string | typeof nothing {
    const { texts, formats } = this.language;
    if (type === 'dm') return this.data.online.has(other) ? texts.online : nothing;
    return texts.members(members.length, formats);
  }

  private typing({ id }: ConversationData): string | typeof nothing {
    const { texts, formats } = this.language;
    const names = [...(this.data.typing.get(id)?.keys() ?? [])];
    if (names.length === 0) return nothing;
    const list = formats.list(names.slice(0, 3));
    return names.length === 1 ? texts.typing(list) : texts.typingSeveral(list);
  }
}
