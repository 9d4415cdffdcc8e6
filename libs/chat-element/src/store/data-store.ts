import type { ChatData } from './chat-data';

/** Changes the data of an account that is signed in. */
export interface DataStore {
  readonly data: ChatData;
  update(change: (data: ChatData) => ChatData): void;
}
