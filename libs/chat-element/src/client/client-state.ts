import { type ChatData, emptyChatData } from '../store/chat-data';
import { type Appearance, defaultAppearance } from './appearance';
import { defaultServerConfig, type ServerConfig } from './server-config';

/** `starting`: looking for a session. `loading`: signed in, fetching. `ready`: everything can be shown. */
export type Phase = 'starting' | 'signed-out' | 'loading' | 'ready';

/**
 * `reconnecting` as soon as the client library reports a lost connection; its `TimeLimits` say when it notices a dead
 * one.
 */
export type ConnectionStatus = 'connecting' | 'connected' | 'reconnecting';

export interface ClientState {
  phase: Phase;
  connection: ConnectionStatus;
  /** Whether the browser has a network. A connection without one counts as lost only when a probe fails. */
  isOnline: boolean;
  config: ServerConfig;
  appearance: Appearance;
  /** Why the account was signed out, or could not be signed in: a code. */
  failure: string | undefined;
  /**
   * Why the saved session can be neither continued nor ended, or the data not be loaded, yet: a code.
   * `ChatClient.retry` retries at once.
   */
  retryReason: string | undefined;
  /** The conversation of a notification that the user clicked. */
  requested: { id: string } | undefined;
  data: ChatData;
}

export const initialState: ClientState = {
  phase: 'starting',
  connection: 'connecting',
  isOnline: true,
  config: defaultServerConfig,
  appearance: defaultAppearance,
  failure: undefined,
  retryReason: undefined,
  requested: undefined,
  data: emptyChatData(''),
};
