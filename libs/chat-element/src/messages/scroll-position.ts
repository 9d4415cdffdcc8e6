/** Distance from the end within which a list follows new messages, in pixels. */
const endPx = 48;

/** Keeps what the user sees in place when messages are added or dropped around it, or follows the end. */
export class ScrollPosition {
  /** Whether the end of the list is shown, and stays shown. */
  isAtEnd = true;
  #anchor: { key: string; top: number } | undefined;
  /** Height of the list in pixels when it was last scrolled. */
  #height = 0;

  constructor(private readonly scroller: () => HTMLElement | null) {}

  /** Saves the position of the first visible message, before a change. */
  before(): void {
    const scroller = this.scroller();
    this.#anchor = scroller === null || this.isAtEnd ? undefined : firstVisible(scroller);
  }

  /** Restores its position, after the change. */
  after(): void {
    const scroller = this.scroller();
    if (scroller === null) return;
    this.#height = scroller.clientHeight;
    if (this.isAtEnd) scroller.scrollTop = scroller.scrollHeight;
    else if (this.#anchor !== undefined) {
      const { key, top } = this.#anchor;
      const element = scroller.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
      if (element !== null) scroller.scrollTop += element.getBoundingClientRect().top - top;
    }
  }

  onScroll(): void {
    const scroller = this.scroller();
    if (scroller === null) return;
    // The event may come between a change of the height and the ResizeObserver that goes to the end again.
    if (this.isAtEnd && scroller.clientHeight !== this.#height) this.after();
    else this.isAtEnd = this.belowPx <= endPx;
  }

  /** Puts a row in the upper part of what is shown. */
  show(key: string): void {
    const scroller = this.scroller();
    const row = scroller?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    if (scroller === null || row === null || row === undefined) return;
    this.isAtEnd = false;
    const offset = row.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    scroller.scrollTop += offset - scroller.clientHeight / 4;
    this.onScroll();
  }

  /** How much of the list is above and below what is shown, in pixels. */
  get abovePx(): number {
    return this.scroller()?.scrollTop ?? 0;
  }

  get belowPx(): number {
    const scroller = this.scroller();
    return scroller === null ? 0 : scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
  }
}

/**
 * The first message that is at least partly visible. Rows of days are no use: they stick to the top, and the first
 * changes its key.
 */
function firstVisible(scroller: HTMLElement): { key: string; top: number } | undefined {
  const { top: edge } = scroller.getBoundingClientRect();
  for (const row of scroller.querySelectorAll<HTMLElement>('.message[data-key]')) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom > edge) return { key: row.dataset['key'] ?? '', top };
  }
  return undefined;
}
