import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import '../conversation/waggle-conversation';
import '../conversations/waggle-conversation-list';
import '../sign-in/waggle-sign-in';
import { WaggleElement } from './waggle-element';

/**
 * The whole client: signs in, lists conversations and shows one.
 *
 * @fires conversation-selected - `detail.id` is the conversation that is shown, undefined for none
 */
@customElement('waggle-chat')
export class WaggleChat extends WaggleElement {
  static override styles = [
    ...WaggleElement.styles,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        height: 100%;
        min-height: 320px;
        overflow: hidden;
        background: var(--_canvas);
        container-type: inline-size;
      }

      .panes {
        grid-row: 2;
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        min-height: 0;
      }

      .list {
        display: flex;
        flex-direction: column;
        min-height: 0;
        background: var(--_surface);
      }

      .panes.open .list,
      .panes:not(.open) .main {
        display: none;
      }

      .main {
        min-height: 0;
        height: 100%;
      }

      @container (min-width: 720px) {
        .panes {
          grid-template-columns: minmax(280px, 360px) minmax(0, 1fr);
        }

        .panes.open .list {
          display: flex;
        }

        .panes:not(.open) .main {
          display: grid;
        }

        .list {
          border-inline-end: 1px solid var(--_border);
        }
      }

      .notice {
        grid-row: 1;
        padding: 4px 16px;
        background: light-dark(#fff3cd, #4a3a10);
        color: light-dark(#5c4400, #ffe29a);
        font-size: 13px;
        text-align: center;
      }

      waggle-sign-in,
      .starting {
        grid-row: 1 / -1;
      }
    `,
  ];

  /** Id of the conversation that is shown. */
  @property({ reflect: true }) conversation: string | undefined;

  protected override render(): TemplateResult {
    const { texts } = this.language;
    const { phase } = this.clientState;
    if (phase === 'starting') return html`<div class="starting empty" role="status">${texts.loading}</div>`;
    if (phase === 'signed-out') {
      return html`<waggle-sign-in .client=${this.usedClient}></waggle-sign-in>`;
    }
    return html`${this.connectionNotice()}
      <div class="panes ${this.conversation === undefined ? '' : 'open'}">
        <div class="list">
          <waggle-conversation-list
            .client=${this.usedClient}
            .selected=${this.conversation}
            @conversation-selected=${this.onSelected}
          ></waggle-conversation-list>
        </div>
        <div class="main">
          ${
            this.conversation === undefined
              ? html`<div class="empty">
                  <strong>${texts.selectConversation}</strong>${texts.selectConversationHint}
                </div>`
              : html`<waggle-conversation
                  .client=${this.usedClient}
                  .conversation=${this.conversation}
                  can-go-back
                  @back-requested=${this.onBack}
                  exportparts="header, messages, bubble, own-bubble, composer"
                ></waggle-conversation>`
          }
        </div>
      </div>`;
  }

  private connectionNotice(): TemplateResult | typeof nothing {
    const { texts } = this.language;
    const { connection, phase } = this.clientState;
    if (connection === 'connected' || phase !== 'ready') return nothing;
    return html`<div class="notice" role="status">${navigator.onLine ? texts.reconnecting : texts.offline}</div>`;
  }

  private onSelected(event: CustomEvent<{ id: string }>): void {
    this.conversation = event.detail.id;
  }

  private onBack(): void {
    this.conversation = undefined;
    this.send('conversation-selected', { id: undefined });
  }
}
