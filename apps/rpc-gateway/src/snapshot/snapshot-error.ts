/** The exit code of the command for each error, so that scripts can distinguish them. Any other error has 1. */
const exitCodes = {
  'invalid-arguments': 2,
  'file-not-opened': 3,
  'empty-index': 10,
  'block-passed': 11,
  'reader-stalled': 12,
  'reader-gone': 13,
  'not-a-snapshot': 20,
  'other-version': 21,
  'other-schema': 22,
  'other-chain': 23,
  truncated: 24,
  altered: 25,
  'other-digest': 26,
  'not-empty': 27,
  busy: 28,
  pooled: 29,
} as const;

type SnapshotErrorCode = keyof typeof exitCodes;

/** Why a snapshot cannot be exported or imported. The message is for operators. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';

  constructor(
    readonly code: SnapshotErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }

  get exitCode(): number {
    return exitCodes[this.code];
  }
}
