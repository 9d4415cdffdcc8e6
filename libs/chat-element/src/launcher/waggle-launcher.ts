import { css, html, nothing, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { defineElement } from '../elements/define-element';
import { isUnusedEscape, useKey } from '../elements/page-keys';
import { WaggleElement } from '../elements/waggle-element';
import { reportedCount } from '../store/conversation-changes';
import { icon } from '../theme/icons';
import '../waggle-chat';

/** A button in a corner of the page, with the number of unread messages. It shows and hides the chat above it. */
@defineElement('waggle-launcher')
export class WaggleLauncher extends WaggleElement {
  static override styles = [
    ...WaggleElement.styles,
    css`
      :host {
        position: fixed;
        z-index: 2147483000;
        inset-block-end: max(16px, env(safe-area-inset-bottom));
        inset-inline-end: 16px;
      }

      .launch {
        position: relative;
        display: grid;
        place-items: center;
        width: 56px;
        height: 56px;
        border-radius: 50%;
        background: var(--_accent);
        color: var(--_on-accent);
        box-shadow: var(--_shadow-lg);
      }

      .launch .badge {
        position: absolute;
        inset-block-start: -4px;
        inset-inline-end: -4px;
        border: 2px solid var(--_raised);
        background: var(--_danger);
        color: var(--_raised);
      }

      .panel {
        position: absolute;
        inset-block-end: 68px;
        inset-inline-end: 0;
        width: min(400px, calc(100vw - 32px));
        height: min(640px, calc(100dvh - 116px));
        overflow: hidden;
        border: 1px solid var(--_border);
        border-radius: var(--_radius);
        background: var(--_surface);
        box-shadow: var(--_shadow-lg);
      }

      .panel[hidden] {
        display: none;
      }
    `,
  ];

  /** Name of the chat; by default the one that the operator chose. */
  @property() name = '';

  @state() private isOpen = false;
  @query('.panel') private readonly panel!: HTMLElement | null;
  @query('.launch') private readonly button!: HTMLElement | null;
  /** The chat is created when it is opened first, and kept while it is hidden. */
  #wasOpened = false;

  protected override render(): TemplateResult {
    const { texts, formats } = this.language;
    const { isOpen } = this;
    this.#wasOpened ||= isOpen;
    const unread = [...this.data.conversations.values()].reduce((sum, each) => sum + reportedCount(each), 0);
    const name = this.name === '' ? this.clientState.config.name : this.name;
    const label = unread === 0 ? name : `${name}, ${texts.unread(unread, formats)}`;
    const badge = html`<span class="badge" aria-hidden="true">${formats.number(unread)}</span>`;
    return html`<div @keydown=${this.#onKey}>
      ${this.#wasOpened ? this.#panel(name) : nothing}
      <button class="launch" aria-label=${label} aria-expanded=${isOpen} @click=${this.#toggle}>
        ${icon(isOpen ? 'close' : 'chats')} ${unread === 0 || isOpen ? nothing : badge}
      </button>
    </div>`;
  }

  #panel(name: string): TemplateResult {
    return html`<div class="panel" role="dialog" aria-label=${name} tabindex="-1" ?hidden=${!this.isOpen}>
      <waggle-chat .client=${this.usedClient} .name=${this.name} .theme=${this.theme}></waggle-chat>
    </div>`;
  }

  #toggle(): void {
    this.isOpen = !this.isOpen;
    if (this.isOpen) void this.updateComplete.then(() => this.panel?.focus());
  }

  #onKey(event: KeyboardEvent): void {
    if (!this.isOpen || !isUnusedEscape(event)) return;
    useKey(event);
    this.isOpen = false;
    this.button?.focus();
  }
}
