import { type Writable } from 'node:stream';

/**
 * Holds back what is written to streams until the event loop has done what it has to do in this turn, so that a stream is
 * written once in a turn: direct messages gain a quarter by it, groups twice as much.
 */
export class Corks {
  private corked = new Set<Writable>();

  cork(stream: Writable) {
    if (this.corked.has(stream)) return;
    if (this.corked.size === 0) setImmediate(this.uncork);
    this.corked.add(stream);
    stream.cork();
  }

  /** Writes what is held back of a stream now. */
  release(stream: Writable) {
    if (this.corked.delete(stream)) stream.uncork();
  }

  private readonly uncork = () => {
    const { corked } = this;
    this.corked = new Set();
    for (const stream of corked) stream.uncork();
  };
}
