import type { ChatClient } from './chat-client';

/** What the first copy of this package in a page leaves for other copies, whose version may differ. */
interface FirstCopy {
  readonly version: string;
  sharedClient?: (server: string) => ChatClient;
}

/** A symbol, since an element's `id` is also a property of the global object. */
const key = Symbol.for('waggle.chat-element');
const page: Pick<typeof globalThis, 'console'> & { [key]?: FirstCopy } = globalThis;

/** Replaced by the build; the sources run without it in tests. */
declare const packageVersion: string | undefined;

const version = typeof packageVersion === 'string' ? packageVersion : 'unbuilt';

/**
 * Whether this copy is the first. No other copy defines elements, because elements of two versions do not work
 * together.
 */
export const isFirstCopy = page[key] === undefined;

export const firstCopy = (page[key] ??= { version });

if (firstCopy.version !== version) {
  console.warn(`This page already has the chat elements of version ${firstCopy.version}: ignored those of ${version}.`);
}
