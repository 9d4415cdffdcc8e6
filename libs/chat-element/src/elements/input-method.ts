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
