import { OwnProcess, type Running } from '@waggle/running';

/** What a schema offers. */
interface Schema<T> {
  parse(value: unknown): T;
}

/** How long a load may take beyond what it is told to measure: connecting, warming up, waiting for the last messages. */
const overheadMs = 90_000;

export interface Load {
  /** What to call it in errors. */
  name: string;
  /** The load generator, relative to the repository: reads its job from the standard input, prints its result as a line. */
  script: string;
  /** Told to it as JSON. */
  job: object;
  measuredMs: number;
}

/** Runs a load generator in a process of its own. @throws Error when it fails or does not end */
export async function runLoad<T>(running: Running, load: Load, result: Schema<T>): Promise<T> {
  const generator = await startLoad(running, load);
  try {
    return result.parse(JSON.parse(await generator.line('{', load.measuredMs + overheadMs)));
  } finally {
    await generator.discard();
  }
}

/** Starts a load generator that goes on until it is discarded. */
export function startLoad(running: Running, { name, script, job }: Omit<Load, 'measuredMs'>): Promise<OwnProcess> {
  return OwnProcess.start(running, { name: `${name} load`, script, input: JSON.stringify(job) });
}
