import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const signed = z.object({
  library: z.string(),
  /** The text, or the digest of a transaction, in hex. */
  message: z.union([
    z.string(),
    z.object({ digest: z.string() }).transform(({ digest }) => Buffer.from(digest, 'hex')),
  ]),
  signature: z.string(),
  publicKey: z.string(),
});

export type SignedByLibrary = z.infer<typeof signed>;

/** Signs this many texts with each library that wallets use. */
export async function signByLibraries(count: number): Promise<readonly SignedByLibrary[]> {
  // beekeeper creates a folder in the current one, even if its wallet is in memory.
  const cwd = await mkdtemp(path.join(tmpdir(), 'waggle-signatures-'));
  try {
    const script = path.join(__dirname, 'sign-by-libraries.mjs');
    const options = { cwd, maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(process.execPath, [script, `${count}`], options);
    return z.array(signed).parse(JSON.parse(stdout));
  } finally {
    await rm(cwd, { recursive: true });
  }
}
