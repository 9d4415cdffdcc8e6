import { isInputMethodKey } from '../elements/page-keys';

/** What keys do anywhere in the chat. */
export type Shortcut = 'palette' | 'shortcuts' | 'previous-conversation' | 'next-conversation';

/** What a key is a shortcut for, unless it was used already. */
export function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (event.defaultPrevented || isInputMethodKey(event)) return undefined;
  if (ctrlKey !== metaKey) return key.toLowerCase() === 'k' && !altKey && !shiftKey ? 'palette' : undefined;
  if (altKey && key === 'ArrowUp') return 'previous-conversation';
  if (altKey && key === 'ArrowDown') return 'next-conversation';
  return key === '?' && !isWriting(event) ? 'shortcuts' : undefined;
}

/** Whether a key enters text into a field. */
function isWriting(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && target.matches('input, textarea');
}
