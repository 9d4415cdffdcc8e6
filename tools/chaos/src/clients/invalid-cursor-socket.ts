import { type WebSocketConstructor } from '@waggle/client';
import { WebSocket } from 'ws';

/**
 * Returns a WebSocket class that replaces the cursor of a resume by an invalid one, so that the service sends
 * `resume-failed`.
 */
export function invalidCursorSocket(isInvalid: () => boolean): WebSocketConstructor {
  return class extends WebSocket {
    override send(data: string): void {
      super.send(isInvalid() ? data.replace(/"resume":"[^"]*"/, '"resume":"invalid"') : data);
    }
  };
}
