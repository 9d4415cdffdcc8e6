import { OwnProcess, type Running, type ServiceProcess } from '@waggle/running';
import { type Participant } from './jobs';

const listenTimeoutMs = 20_000;

export type BaselineName = 'relay' | 'insert-each' | 'group-commit';

export async function startBaseline(
  running: Running,
  name: BaselineName,
  databaseUrl: string,
  nodeArguments: readonly string[] = [],
): Promise<ServiceProcess> {
  const process = await OwnProcess.start(running, {
    name: `baseline ${name}`,
    script: `tools/bench/dist/chat/baselines/${name}.js`,
    nodeArguments,
    environment: { NODE_ENV: 'production', DATABASE_URL: databaseUrl },
  });
  return { url: await process.line('http', listenTimeoutMs), process };
}

/** Returns a participant; the token of a baseline is the account name. */
export function participantAt(url: string, account: string): Participant {
  return { url, token: account };
}
