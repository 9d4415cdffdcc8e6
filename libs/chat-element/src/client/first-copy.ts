import type { ChatClient } from './chat-client';

/** What the first copy of this package in a page leaves for other copies, whose version may differ. */
interface FirstCopy {
  readonly version: string;
  sharedClient?: (server: string) => ChatClient;
}

declare global {
  var waggleChatElement: FirstCopy | undefined;
}

/** Replaced by the build; the sources run without it in tests. */
declare const packageVersion: string | undefined;

const version = typeof packageVersion === 'string' ? packageVersion : 'unbuilt';

/** Whether this copy is the first. No other copy defines elements, as those of two versions would not fit together. */
export const isFirstCopy = globalThis.waggleChatElement === undefined;

export const firstCopy = (globalThis.waggleChatElement ??= { version });

if (firstCopy.version !== version) {
  console.warn(`This page already has the chat elements of version ${firstCopy.version}: ignored those of ${version}.`);
}
