/** How long a finger stays for a long press, and how far it may move meanwhile. */
const longPressMs = 500;
const stillPx = 10;

/** How far a finger moves to reply, and how far the message follows it. */
const swipePx = 56;
const maxSwipePx = 72;

/** Set once the press counts as long. */
const pressedClass = 'pressed';

interface Touch {
  pointerId: number;
  row: HTMLElement;
  startX: number;
  startY: number;
  timer: ReturnType<typeof setTimeout>;
  /** How far the finger has moved towards the start of the line. */
  distance: number;
}

interface Actions {
  longPress: (id: string) => void;
  swipe: (id: string) => void;
}

/**
 * One finger on a message: a long press opens its menu, and a swipe towards the start of the line replies to it. The
 * browser scrolls upwards and downwards, which ends the touch with `pointercancel`.
 */
export class TouchGestures {
  #touch: Touch | undefined;

  constructor(private readonly actions: Actions) {}

  readonly onDown = (event: PointerEvent): void => {
    this.#end();
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('.message[data-key]') : null;
    if (event.pointerType !== 'touch' || !event.isPrimary || row === null || hasOwnMenu(event)) return;
    const timer = setTimeout(() => {
      row.classList.add(pressedClass);
    }, longPressMs);
    const { pointerId, clientX: startX, clientY: startY } = event;
    this.#touch = { pointerId, row, startX, startY, timer, distance: 0 };
  };

  readonly onMove = ({ pointerId, clientX, clientY }: PointerEvent): void => {
    const touch = this.#touch;
    if (touch?.pointerId !== pointerId) return;
    const [x, y] = [clientX - touch.startX, clientY - touch.startY];
    if (Math.hypot(x, y) > stillPx) {
      clearTimeout(touch.timer);
      touch.row.classList.remove(pressedClass);
    }
    const isRightToLeft = getComputedStyle(touch.row).direction === 'rtl';
    touch.distance = Math.min(maxSwipePx, Math.max(0, isRightToLeft ? x : -x));
    const shift = isRightToLeft ? touch.distance : -touch.distance;
    touch.row.style.translate = touch.distance > stillPx ? `${shift}px` : '';
  };

  readonly onUp = ({ pointerId }: PointerEvent): void => {
    const touch = this.#touch;
    if (touch?.pointerId !== pointerId) return;
    const isLongPress = touch.row.classList.contains(pressedClass);
    this.#end();
    if (isLongPress) {
      // If the menu opened earlier, lifting the finger would close it. The touch would also become a click.
      addEventListener('click', cancel, { capture: true, once: true });
      setTimeout(() => {
        removeEventListener('click', cancel, { capture: true });
        this.actions.longPress(idOf(touch.row));
      });
    } else if (touch.distance >= swipePx) this.actions.swipe(idOf(touch.row));
  };

  readonly onCancel = (): void => {
    this.#end();
  };

  /** A long press opens the menu of the message instead of the browser's. */
  readonly onContextMenu = (event: Event): void => {
    const isTouch = this.#touch !== undefined || (event instanceof PointerEvent && event.pointerType === 'touch');
    if (isTouch && !hasOwnMenu(event)) event.preventDefault();
  };

  #end(): void {
    if (this.#touch === undefined) return;
    clearTimeout(this.#touch.timer);
    this.#touch.row.style.translate = '';
    this.#touch.row.classList.remove(pressedClass);
    this.#touch = undefined;
  }
}

/** Whether a long press is for the browser, which opens or copies a link, an image or code. */
function hasOwnMenu({ target }: Event): boolean {
  return target instanceof Element && target.closest('a, img, pre, code') !== null;
}

function cancel(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

function idOf(row: HTMLElement): string {
  return row.dataset['key'] ?? '';
}
