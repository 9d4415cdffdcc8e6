import { css, html, nothing, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { icon, type IconName } from '../theme/icons';
import { defineElement } from './define-element';
import { isUnusedEscape, useKey } from './page-keys';
import { addOverlay } from './pane-stack';
import { WaggleElement } from './waggle-element';

export interface MenuItem {
  text: string;
  /** Shown instead of the text. */
  icon?: IconName;
  isDangerous?: boolean;
  isDisabled?: boolean;
  /** If it is defined, the item is a choice that is on or off. */
  isChecked?: boolean;
  action: () => void;
}

/** A button that opens a menu of actions. */
@defineElement('waggle-menu')
export class WaggleMenu extends WaggleElement {
  static override styles = [
    ...WaggleElement.styles,
    css`
      [role='menu'] {
        position: fixed;
        inset: auto;
        min-width: 184px;
        max-width: calc(100vw - 16px);
        margin: 0;
        padding: 4px;
        border: 1px solid var(--_border);
        border-radius: 8px;
        background: var(--_raised);
        color: var(--_text);
        box-shadow: 0 4px 16px rgb(0 0 0 / 20%);
      }

      [role^='menuitem'] {
        display: block;
        width: 100%;
        min-height: 40px;
        padding: 8px 12px;
        border-radius: 4px;
      }

      [role^='menuitem']:hover:enabled,
      [role^='menuitem']:focus {
        background: var(--_hover);
      }

      .in-row:popover-open {
        display: flex;
        min-width: 0;
        border-radius: 24px;
      }

      /* Both sides of the button may lack the space. */
      @media (width < 560px) {
        .in-row {
          inset-inline: 0 !important;
          margin-inline: auto !important;
        }
      }

      .in-row [role] {
        display: grid;
        place-items: center;
        width: 40px;
        height: 40px;
        padding: 0;
        border-radius: 50%;
        font-size: calc(1.25 * var(--_rem));
      }

      [aria-checked='true'] {
        background: var(--_selected);
      }

      .danger {
        color: var(--_danger);
      }

      @media (pointer: coarse) {
        .icon-button {
          width: 44px;
          height: 44px;
        }

        [role='menuitem'] {
          min-height: 44px;
        }

        .in-row [role] {
          width: 44px;
          height: 44px;
        }
      }
    `,
  ];

  /** Says what the actions are for. */
  @property() label = '';

  @property() icon: IconName = 'more';

  /** Whether the items are side by side. */
  @property({ type: Boolean, attribute: 'in-row' }) isInRow = false;

  @property({ attribute: false }) items: readonly MenuItem[] = [];

  @state() private isOpen = false;
  @query('.icon-button') private readonly button!: HTMLElement;
  @query('[role="menu"]') private readonly menu!: HTMLElement | null;
  /** Ends what lasts while the menu is open. */
  #opened: AbortController | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#onClose();
  }

  override focus(): void {
    this.button.focus();
  }

  protected override render(): TemplateResult {
    return html`<button
        class="icon-button"
        aria-label=${this.label}
        aria-haspopup="menu"
        aria-expanded=${this.isOpen ? 'true' : 'false'}
        popovertarget="menu"
        @keydown=${this.#onButtonKey}
      >
        ${icon(this.icon)}
      </button>
      <div
        id="menu"
        role="menu"
        class=${this.isInRow ? 'in-row' : ''}
        aria-orientation=${this.isInRow ? 'horizontal' : 'vertical'}
        aria-label=${this.label}
        popover
        @beforetoggle=${this.#onBeforeToggle}
        @keydown=${this.#onKey}
      >
        ${this.items.map(
          ({ text, icon: iconName, isDangerous = false, isDisabled = false, isChecked, action }) =>
            html`<button
              role=${isChecked === undefined ? 'menuitem' : 'menuitemcheckbox'}
              aria-checked=${isChecked ?? nothing}
              tabindex="-1"
              class=${isDangerous ? 'danger' : ''}
              aria-label=${iconName === undefined ? nothing : text}
              title=${iconName === undefined ? nothing : text}
              ?disabled=${isDisabled}
              @click=${() => {
                this.#close();
                action();
              }}
            >
              ${iconName === undefined ? text : icon(iconName)}
            </button>`,
        )}
      </div>`;
  }

  /** Opens the menu. */
  async open(): Promise<void> {
    await this.updateComplete;
    this.menu?.showPopover();
  }

  readonly #close = (): void => {
    if (this.menu?.matches(':popover-open') !== true) return;
    const hasFocus = this.menu.contains(this.shadowRoot?.activeElement ?? null);
    this.menu.hidePopover();
    if (hasFocus) this.focus();
  };

  #onBeforeToggle({ newState }: ToggleEvent): void {
    if (newState === 'open') this.#onOpen();
    else this.#onClose();
  }

  #onOpen(): void {
    this.isOpen = true;
    this.#place();
    // The browser gives the first one the focus.
    for (const item of this.#items) item.autofocus = true;
    this.#opened = new AbortController();
    const { signal } = this.#opened;
    signal.addEventListener('abort', addOverlay(this, 'menu', this.#close));
    for (const root of rootsOf(this)) root.addEventListener('scroll', this.#close, { capture: true, signal });
    addEventListener('resize', this.#close, { signal });
  }

  #onClose(): void {
    this.isOpen = false;
    this.#opened?.abort();
  }

  /** Puts the menu next to the button, on the side that has more space. */
  #place(): void {
    const { menu, button } = this;
    if (menu === null) return;
    const { top, bottom, left, right } = button.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const isBelow = top + bottom < clientHeight;
    const isLeft = left + right < clientWidth;
    menu.style.top = isBelow ? `${bottom}px` : 'auto';
    menu.style.bottom = isBelow ? 'auto' : `${clientHeight - top}px`;
    menu.style.left = isLeft ? `${left}px` : 'auto';
    menu.style.right = isLeft ? 'auto' : `${clientWidth - right}px`;
  }

  get #items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[role^="menuitem"]:enabled')];
  }

  /** The keys that go to the next and to the previous item. */
  get #arrows(): readonly [string, string] {
    if (!this.isInRow) return ['ArrowDown', 'ArrowUp'];
    return this.matches(':dir(rtl)') ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  }

  #onButtonKey(event: KeyboardEvent): void {
    const { key } = event;
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
    event.preventDefault();
    this.menu?.showPopover();
    if (key === 'ArrowUp') this.#items.at(-1)?.focus();
  }

  #onKey(event: KeyboardEvent): void {
    if (isUnusedEscape(event)) {
      useKey(event);
      event.preventDefault();
      this.#close();
      return;
    }
    if (event.key === 'Tab') {
      this.#close();
      return;
    }
    const items = this.#items;
    const index = items.findIndex((item) => item === this.shadowRoot?.activeElement);
    const [forward, back] = this.#arrows;
    const next = new Map([
      [forward, items[(index + 1) % items.length]],
      [back, items.at(index - 1)],
      ['Home', items[0]],
      ['End', items.at(-1)],
    ]).get(event.key);
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  }
}

/** The document and the shadow roots around an element: events of scrolling do not leave them. */
function rootsOf(element: Element): Node[] {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? [root, ...rootsOf(root.host)] : [root];
}
