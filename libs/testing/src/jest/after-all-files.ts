/** Jest loads test files and the teardown separately; they share only the global object. */
declare global {
  var afterAllFilesFunctions: (() => Promise<void>)[] | undefined;
}

/**
 * Calls a function after all test files of the project, before the servers end. A test file that is not run in the main
 * process, as with `jest -w 2`, must start only what ends with its process.
 */
export function afterAllFiles(end: () => Promise<void>): void {
  (globalThis.afterAllFilesFunctions ??= []).push(end);
}

export async function callAfterAllFiles(): Promise<void> {
  for (const end of globalThis.afterAllFilesFunctions?.splice(0) ?? []) await end();
}
