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
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', onCopy);
  // oxlint-disable-next-line typescript/no-deprecated -- The only way without TLS.
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', onCopy);
  if (!isCopied) throw new DOMException('the browser does not copy', 'NotAllowedError');
}
