/**
 * Copies a text to the clipboard. To be called while the browser handles a click.
 *
 * @throws DOMException if the browser does not allow it
 */
export async function copyText(text: string): Promise<void> {
  // Pages without TLS have no clipboard API.
  if (!isSecureContext) {
    copyByCommand(text);
    return;
  }
  await navigator.clipboard.writeText(text);
}

function copyByCommand(text: string): void {
  const copied: ClipboardEvent[] = [];
  const onCopy = (event: ClipboardEvent): void => {
    // The page may have listeners of its own, which change what is copied.
    event.stopImmediatePropagation();
    event.preventDefault();
    event.clipboardData?.setData('text/plain', text);
    copied.push(event);
  };
  addEventListener('copy', onCopy, { capture: true });
  // oxlint-disable-next-line typescript/no-deprecated -- The only way without TLS.
  document.execCommand('copy');
  removeEventListener('copy', onCopy, { capture: true });
  if (copied.length === 0) throw new DOMException('the browser does not copy', 'NotAllowedError');
}
