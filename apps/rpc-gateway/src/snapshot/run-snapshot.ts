import { type FileHandle, open, rename } from 'node:fs/promises';
import { HiveClient } from '@waggle/chain';
import { type SnapshotCommand, standardStream } from './arguments';
import { exportSnapshot } from './export-snapshot';
import { importSnapshot } from './import-snapshot';
import { type Manifest, type Section } from './manifest';
import { readChainId } from './read-chain-id';
import { SnapshotError } from './snapshot-error';

export interface SnapshotSettings {
  readonly database: { readonly url: string };
  readonly hive: { readonly nodes: readonly string[] };
}

/** Exports or imports, and prints the progress to standard error. @throws SnapshotError */
export async function runSnapshot(
  command: SnapshotCommand,
  settings: SnapshotSettings,
  signal: AbortSignal,
): Promise<void> {
  const hive = new HiveClient({ urls: settings.hive.nodes });
  try {
    const run =
      command.name === 'export'
        ? runExport(command, settings, hive, signal)
        : runImport(command, settings, hive, signal);
    const { digest } = await run;
    print(`digest ${digest}`);
  } finally {
    await hive.close();
  }
}

type Command<Name> = Extract<SnapshotCommand, { name: Name }>;

async function runExport(
  { out, atBlock }: Command<'export'>,
  { database }: SnapshotSettings,
  hive: HiveClient,
  signal: AbortSignal,
): Promise<Manifest> {
  const options = {
    url: database.url,
    chainId: await readChainId(hive),
    atBlock,
    signal,
    onWaiting: reportWaiting(atBlock),
    onOpen: ({ head: { block } }: { head: { block: { number: number; id: string } } }) => {
      print(`exporting the index as of block ${block.number} (${block.id})`);
    },
    onSection: reportSection,
  };
  if (out === standardStream) return exportSnapshot(process.stdout, options);
  // A file with the final name is complete.
  const unfinished = `${out}.unfinished`;
  const file = await openFile(unfinished, 'w');
  const manifest = await exportSnapshot(file.createWriteStream({ flush: true }), options);
  await rename(unfinished, out);
  return manifest;
}

async function runImport(
  { file, expectedDigest }: Command<'import'>,
  { database }: SnapshotSettings,
  hive: HiveClient,
  signal: AbortSignal,
): Promise<Manifest> {
  const input = file === standardStream ? process.stdin : (await openFile(file, 'r')).createReadStream();
  return await importSnapshot(input, {
    url: database.url,
    hive,
    expectedDigest,
    signal,
    onHead: ({ block }) => {
      print(`importing the index as of block ${block.number} (${block.id})`);
    },
    onSection: reportSection,
    onIndexBuilt: (name) => {
      print(`built the database index ${name}`);
    },
  });
}

/** @throws SnapshotError that names the file, before anything else is opened */
async function openFile(path: string, flags: 'r' | 'w'): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SnapshotError('file-not-opened', `The file cannot be opened: ${reason}`, error);
  }
}

const reportIntervalMs = 10_000;

function reportWaiting(atBlock: number | undefined): (appliedBlock: number) => void {
  let reportedMs = -Infinity;
  return (appliedBlock: number) => {
    if (performance.now() - reportedMs < reportIntervalMs) return;
    reportedMs = performance.now();
    print(`waiting for block ${atBlock}: the indexer has applied block ${appliedBlock}`);
  };
}

function reportSection({ table, rows, sha256 }: Section): void {
  print(`${table}: ${rows} rows, SHA-256 ${sha256}`);
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
