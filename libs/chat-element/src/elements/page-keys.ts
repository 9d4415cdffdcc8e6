import { isInputMethodKey } from './input-method';

/** Keys that pages and browsers react to, and that enter no text. */
const pageKey = /^(Escape|Tab|F\d+|Control|Alt|Meta)$/;

/** Whether a key event in the chat may be a shortcut of the page, rather than typing or a key that the chat has used. */
export function isPageKey(event: KeyboardEvent): boolean {
  // With AltGr, Windows also reports Ctrl and Alt.
  if (event.defaultPrevented || isInputMethodKey(event) || event.getModifierState('AltGraph')) return false;
  return event.ctrlKey || event.metaKey || event.altKey || pageKey.test(event.key);
}
