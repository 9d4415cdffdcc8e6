/** Distance from the end within which a list follows new messages, in pixels. */
const endPx = 48;

/** Keeps what the user sees in place when messages are added or dropped around it, or follows the end. */
export class ScrollPosition {
  /** Whether the end of the list is shown, and stays shown. */
  isAtEnd = true;
  #anchor: { key: string; top: number } | undefined;
  /** Height of the list in pixels when it was last scrolled. */
  #height = 0;

  /** @param reachesEnd whether the last message of the list is the newest one */
  constructor(
    private readonly scroller: () => HTMLElement | null,
    private readonly reachesEnd: () => boolean,
  ) {}

  /** Saves the position of the first visible message. Call it before a change. */
  save(): void {
    const scroller = this.scroller();
    this.#anchor = scroller === null || this.isAtEnd ? undefined : firstVisible(scroller);
  }

  /** Restores the saved position, or goes to the end if that was shown. Call it after the change. */
  restore(): void {
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
    if (this.isAtEnd && scroller.clientHeight !== this.#height) this.restore();
    else this.isAtEnd = this.belowPx <= endPx && this.reachesEnd();
  }

  /** Puts a row in the upper part of what is shown, unless it is shown at the end of the list. */
  show(key: string): void {
    const scroller = this.scroller();
    const row = scroller?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    if (scroller === null || row === null || row === undefined) return;
    this.onScroll();
    const offset = row.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    if (this.isAtEnd && offset >= 0) return;
    scroller.scrollTop += offset - scroller.clientHeight / 4;
    this.onScroll();
  }

  /** Whether all of a row is on the screen. */
  isShown(key: string): boolean {
    const scroller = this.scroller();
    const row = scroller?.querySelector(`[data-key="${CSS.escape(key)}"]`)?.getBoundingClientRect();
    const view = scroller?.getBoundingClientRect();
    return row !== undefined && view !== undefined && row.top >= view.top && row.bottom <= view.bottom;
  }

  /**
   * The keys of the first row that is at least partly shown, and of the last one whose end is shown or above. The
   * former is undefined if the list is hidden.
   */
  get shown(): { first: string | undefined; last: string | undefined } {
    const scroller = this.scroller();
    if (scroller === null) return { first: undefined, last: undefined };
    const edge = scroller.getBoundingClientRect().bottom + 1;
    const last = rowsOf(scroller).findLast((row) => row.getBoundingClientRect().bottom <= edge);
    return { first: firstVisible(scroller)?.key, last: last?.dataset['key'] };
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
 * The first message or change that is at least partly visible. Rows of days are no use: they stick to the top, and the
 * first changes its key.
 */
function firstVisible(scroller: HTMLElement): { key: string; top: number } | undefined {
  const { top: edge } = scroller.getBoundingClientRect();
  for (const row of rowsOf(scroller)) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom > edge) return { key: row.dataset['key'] ?? '', top };
  }
  return undefined;
}

function rowsOf(scroller: HTMLElement): HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>('.message[data-key], .change[data-key]')];
}
