type EndSignalHandler = (signal: NodeJS.Signals) => void;

let current: EndSignalHandler | undefined;

/**
 * Sets what SIGTERM and SIGINT do, in place of an earlier handler. Node as process 1 of a container ignores signals
 * without one.
 */
export function onEndSignal(handler: EndSignalHandler): void {
  if (current === undefined) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => current?.(signal));
  }
  current = handler;
}
