/** The key code of every key that an input method handles. */
const inputMethodKeyCode = 229;

/**
 * Whether an input method handles the key, such as the Enter that confirms a word. Safari ends the composition before
 * this event: only the key code tells.
 */
export function isInputMethodKey(event: KeyboardEvent): boolean {
  // oxlint-disable-next-line typescript/no-deprecated -- No other property tells in Safari.
  return event.isComposing || event.keyCode === inputMethodKeyCode;
}

/** How many entries down a list the key moves: 1, -1, or 0 for keys other than the vertical arrows. */
export function verticalStep({ key }: KeyboardEvent): -1 | 0 | 1 {
  if (key === 'ArrowDown') return 1;
  return key === 'ArrowUp' ? -1 : 0;
}

/** Keys that pages and browsers react to, and that enter no text. */
const pageKey = /^(Escape|Tab|F\d+|Control|Alt|Meta)$/;

/** Events that the chat used without preventing what the browser does. */
const used = new WeakSet<Event>();
/** The keys whose `keydown` was stopped. Their `keyup` may come when the focus is elsewhere in the chat. */
const stopped = new Set<string>();

/** Keeps a key event from the page, although it may be a shortcut. */
export function useKey(event: KeyboardEvent): void {
  used.add(event);
}

/**
 * Stops a key event of the chat unless it may be a shortcut of the page, rather than typing or a key that the chat
 * used.
 */
export function stopUnlessForPage(event: Event): void {
  // Browsers and password managers also send events without a key when they fill in a field.
  if (!(event instanceof KeyboardEvent)) {
    event.stopPropagation();
    return;
  }
  const { type, code } = event;
  const isEnd = type === 'keyup' && stopped.delete(code);
  if (!isEnd && isPageKey(event)) {
    stopped.delete(code);
    return;
  }
  if (type === 'keydown') stopped.add(code);
  event.stopPropagation();
}

/** Whether it is an Escape that nothing has used yet. */
export function isUnusedEscape(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  return key === 'Escape' && !ctrlKey && !metaKey && !altKey && isPageKey(event);
}

function isPageKey(event: KeyboardEvent): boolean {
  // With AltGr, Windows also reports Ctrl and Alt.
  if (event.defaultPrevented || used.has(event) || isInputMethodKey(event) || event.getModifierState('AltGraph'))
    return false;
  return event.ctrlKey || event.metaKey || event.altKey || pageKey.test(event.key);
}
