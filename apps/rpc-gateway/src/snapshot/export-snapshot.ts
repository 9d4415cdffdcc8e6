import { constants, createGzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { type Writable } from 'node:stream';
import { types } from 'node:util';
import { type Manifest, type Section } from './manifest';
import { openSnapshot, type OpenSnapshot, type SnapshotOptions } from './open-snapshot';
import { SnapshotContent } from './snapshot-content';
import { SnapshotError } from './snapshot-error';
import { StallGuard } from './stall-guard';

export interface ExportOptions extends SnapshotOptions {
  /** Called when the index is open as of the block. */
  readonly onOpen?: (snapshot: OpenSnapshot) => void;
  readonly onSection?: (section: Section) => void;
  /** Maximum time during which the reader takes nothing; default five minutes. */
  readonly maxStallMs?: number;
}

/** A long transaction retains old row versions, which slow the indexer down. */
const maxStallMs = 5 * 60_000;

const chunkSize = 256 * 1_024;

/**
 * Writes the index as of a block to a stream, compressed. The indexer continues meanwhile. The transaction ends with
 * the stream.
 *
 * @throws SnapshotError if the index is empty or beyond the block, or nothing reads the stream
 */
export async function exportSnapshot(output: Writable, options: ExportOptions): Promise<Manifest> {
  const snapshot = await openSnapshot(options);
  try {
    options.onOpen?.(snapshot);
    return await writeSnapshot(snapshot, output, options);
  } finally {
    snapshot.connection.close();
  }
}

async function writeSnapshot(
  snapshot: OpenSnapshot,
  output: Writable,
  { signal, onSection, maxStallMs: limitMs = maxStallMs }: ExportOptions,
): Promise<Manifest> {
  const content = new SnapshotContent(snapshot, onSection);
  const guard = new StallGuard(limitMs, () => {
    snapshot.connection.close();
  });
  let written: Manifest | undefined;
  const produce = async function* (): AsyncGenerator<Buffer, void, undefined> {
    written = yield* content.chunks();
    // The transaction need not last until the reader has taken the last bytes.
    snapshot.connection.close();
  };
  try {
    // The least compression: higher levels save a tenth of the bytes and take a multiple of the time.
    const gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize });
    await pipeline(produce, gzip, guard.stage, output, { signal: AbortSignal.any([signal, guard.signal]) });
  } catch (error) {
    if (guard.signal.aborted)
      throw new SnapshotError('reader-stalled', `Nothing has read the snapshot for ${limitMs / 1_000} s`, error);
    if (isClosedPipe(error))
      throw new SnapshotError('reader-gone', 'The reader of the snapshot has closed the stream', error);
    throw error;
  } finally {
    guard.stop();
  }
  if (written === undefined) throw new Error('a finished pipeline has produced a manifest');
  return written;
}

function isClosedPipe(error: unknown): boolean {
  const codes = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'];
  // As in the import, not `instanceof`.
  return types.isNativeError(error) && 'code' in error && codes.includes(String(error.code));
}
