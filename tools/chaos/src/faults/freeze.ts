import { type Pace } from './pace';

/** SIGSTOP and, whatever happens, SIGCONT. */
export async function freeze(frozen: { pause(): void; resume(): void }, pace: Pace): Promise<void> {
  frozen.pause();
  try {
    await pace.frozen();
  } finally {
    frozen.resume();
  }
}
