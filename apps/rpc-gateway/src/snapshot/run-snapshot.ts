import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { HiveClient } from '@waggle/chain';
import { type SnapshotCommand, standardStream } from './arguments';
import { exportSnapshot } from './export-snapshot';
import { importSnapshot } from './import-snapshot';
import { type Manifest, type Section } from './manifest';
import { readChainId } from './read-chain-id';

export interface SnapshotSettings {
  readonly database: { readonly url: string };
  readonly hive: { readonly nodes: readonly string[] };
}

/** Exports or imports, and prints the progress to standard error. @throws SnapshotError */
export async function runSnapshot(command: SnapshotCommand, settings: SnapshotSettings, signal: AbortSignal) {
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
  const manifest = await exportSnapshot(createWriteStream(unfinished), options);
  const file = await open(unfinished, 'r+');
  await file.sync();
  await file.close();
  await rename(unfinished, out);
  return manifest;
}

function runImport(
  { file, expectedDigest }: Command<'import'>,
  { database }: SnapshotSettings,
  hive: HiveClient,
  signal: AbortSignal,
): Promise<Manifest> {
  return importSnapshot(file === standardStream ? process.stdin : createReadStream(file), {
    url: database.url,
    hive,
    expectedDigest,
    signal,
    onHead: ({ block }) => {
      print(`importing the index as of block ${block.number} (${block.id})`);
    },
    onSection: reportSection,
    onIndex: (name) => {
      print(`built the index ${name}`);
    },
  });
}

const reportIntervalMs = 10_000;

function reportWaiting(atBlock: number | undefined) {
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
