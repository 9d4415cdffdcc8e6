import { type WebSocketConstructor } from '@waggle/client';
import { WebSocket } from 'ws';

/** Takes the place of a cursor: the service does not know it. */
const unknownCursor = '"resume":"forgotten"';

/**
 * A WebSocket through which a client asks to resume from a cursor that the service does not know, where it has forgotten
 * its own: the service answers `resume-failed`.
 */
export function forgetfulSocket(hasForgotten: () => boolean): WebSocketConstructor {
  return class extends WebSocket {
    override send(data: string): void {
      super.send(hasForgotten() ? data.replace(/"resume":"[^"]*"/, unknownCursor) : data);
    }
  };
}
