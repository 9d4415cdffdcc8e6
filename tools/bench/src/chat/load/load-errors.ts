import { type ServerFrameType } from '@waggle/contracts';

const errorFrame: ServerFrameType = 'error';

const maxErrors = 3;

/** Collects the first errors on the sockets of a load. */
export class LoadErrors {
  readonly messages: string[] = [];

  /** Records an error frame; ignores other frames. */
  frame(frame: Buffer): void {
    if (this.messages.length < maxErrors && frame.includes(`"${errorFrame}"`)) this.messages.push(frame.toString());
  }

  /** Records a closed connection. */
  readonly closed = (code: number): void => {
    if (this.messages.length < maxErrors) this.messages.push(`a connection was closed: ${code}`);
  };
}
