import { OwnProcess, type Running } from '@waggle/running';

interface Schema<T> {
  parse(value: unknown): T;
}

/** The additional time for connecting, warming up and waiting for the last messages. */
const overheadMs = 90_000;

export interface Load {
  /** For error messages. */
  name: string;
  /** The path of a process of `runBenchProcess`, relative to the repository. */
  script: string;
  job: object;
  measuredMs: number;
}

/** Runs a load generator in a process of its own. @throws Error if it fails or times out */
export async function runLoad<T>(running: Running, load: Load, result: Schema<T>): Promise<T> {
  const generator = await startLoad(running, load);
  try {
    return result.parse(JSON.parse(await generator.line('{', load.measuredMs + overheadMs)));
  } finally {
    await generator.discard();
  }
}

/** Starts a load generator that runs until it is discarded. */
export function startLoad(running: Running, { name, script, job }: Omit<Load, 'measuredMs'>): Promise<OwnProcess> {
  return OwnProcess.start(running, { name: `${name} load`, script, input: JSON.stringify(job) });
}
