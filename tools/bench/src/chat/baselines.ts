import { OwnProcess, type Running } from '@waggle/running';
import { type Seat } from './jobs';

const listenTimeoutMs = 20_000;

/** The servers that the chat is compared with: see `baselines/`. */
export type BaselineName = 'relay' | 'insert-each' | 'group-commit';

export interface BaselineServer {
  url: string;
  process: OwnProcess;
}

export async function startBaseline(
  running: Running,
  name: BaselineName,
  databaseUrl: string,
  nodeArguments: readonly string[] = [],
): Promise<BaselineServer> {
  const process = await OwnProcess.start(running, {
    name: `baseline ${name}`,
    script: `tools/bench/dist/chat/baselines/${name}.js`,
    nodeArguments,
    environment: { NODE_ENV: 'production', DATABASE_URL: databaseUrl },
  });
  return { url: await process.line('http', listenTimeoutMs), process };
}

/** At a baseline everybody is who they say. */
export function seatAt(url: string, account: string): Seat {
  return { url, token: account };
}
