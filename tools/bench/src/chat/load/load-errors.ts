import { type ServerFrameType } from '@waggle/contracts';

const errorFrame: ServerFrameType = 'error';

/** How many error frames are kept. */
const keptRefusals = 3;

/** What went wrong on the sockets of a load. */
export class Incidents {
  readonly refusals: string[] = [];

  /** A frame that carries no message: an error, or something that does not matter here. */
  frame(frame: Buffer): void {
    if (this.refusals.length < keptRefusals && frame.includes(`"${errorFrame}"`)) this.refusals.push(frame.toString());
  }

  /** To be given to `LoadSocket.open`. */
  readonly closed = (code: number): void => {
    if (this.refusals.length < keptRefusals) this.refusals.push(`a connection was closed: ${code}`);
  };
}
