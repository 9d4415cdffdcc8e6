/** For `globalTeardown`: ends what `global-setup` started. */
export default async function tearDown(): Promise<void> {
  await globalThis.endTestServers?.();
}
