/** Resolves after this time, or at once when the signal is aborted: it never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

/**
 * Resolves or rejects as the promise does, unless the signal is aborted first. The promise is not cancelled then; its
 * outcome is ignored.
 *
 * @throws the reason of the signal, wrapped if it is not an Error
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const rejectAborted = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal.reason }));
    };
    if (signal.aborted) rejectAborted();
    else signal.addEventListener('abort', rejectAborted);
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', rejectAborted);
    });
  });
}
