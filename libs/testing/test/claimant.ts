// Claims a path each time it gets one, and releases it at the next message without one. Responds with the outcome.
import { claim } from '../src/processes/claim';

let release: (() => void) | undefined;

process.on('message', ({ claimed }: { claimed?: string }) => {
  release?.();
  release = undefined;
  process.send?.(claimed === undefined ? 'released' : outcomeOf(claimed));
});

function outcomeOf(claimed: string): string {
  try {
    release = claim(claimed);
    return 'claimed';
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

process.send?.('ready');
