import { callAfterAllFiles } from './after-all-files';

/** For `globalTeardown`: ends what test files share, and what `global-setup` started. */
export default async function tearDown(): Promise<void> {
  await callAfterAllFiles();
  await globalThis.endTestServers?.();
}
