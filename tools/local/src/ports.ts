import { PlainError } from '@waggle/running';
import { isPortFree } from '@waggle/testing';

/** A port that an environment variable can change. PostgreSQL has no such port: each start chooses a free one. */
export interface PortSetting {
  /** The name of the service. */
  name: string;
  variable: string;
  byDefault: number;
}

/** Of the first node; each further one has the next port. */
export const devnetPort: PortSetting = { name: 'devnet', variable: 'DEVNET_PORT', byDefault: 8091 };
export const chatPort: PortSetting = { name: 'chat', variable: 'CHAT_PORT', byDefault: 3000 };
export const delegationPort: PortSetting = { name: 'delegation service', variable: 'DELEGATION_PORT', byDefault: 3001 };
export const delegationIndexerPort: PortSetting = {
  name: 'delegation indexer',
  variable: 'DELEGATION_INDEXER_PORT',
  byDefault: 3101,
};
export const videoAuthPort: PortSetting = { name: 'video-auth', variable: 'VIDEO_AUTH_PORT', byDefault: 3002 };
export const gatewayPort: PortSetting = { name: 'rpc-gateway', variable: 'RPC_GATEWAY_PORT', byDefault: 8080 };
export const gatewayIndexerPort: PortSetting = {
  name: 'rpc-gateway indexer',
  variable: 'RPC_GATEWAY_INDEXER_PORT',
  byDefault: 8180,
};

/**
 * Returns the port from the environment, or the default if the variable is missing or empty.
 *
 * @throws PlainError if the variable is not a port
 */
export function portOf({ name, variable, byDefault }: PortSetting, environment: NodeJS.ProcessEnv): number {
  const text = environment[variable] ?? '';
  if (text === '') return byDefault;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new PlainError(`${variable}=${text} is not a port for the ${name}: give a number from 1 to 65535.`);
}

/**
 * Checks that the port, and as many of the next ones as are used, are free.
 *
 * @throws PlainError naming the variable that changes the port
 */
export async function requireFreePorts(
  setting: PortSetting,
  environment: NodeJS.ProcessEnv,
  count: number,
): Promise<void> {
  const first = portOf(setting, environment);
  for (let port = first; port < first + count; port++)
    if (!(await isPortFree(port))) throw portTaken(setting, port, 'npm start');
}

/** @param command the command that failed to start */
export function portTaken({ name, variable }: PortSetting, port: number, command: string): PlainError {
  const another = port === 65_535 ? 1024 : port + 1;
  return new PlainError(`Port ${port} for the ${name} is taken. Choose another one: ${variable}=${another} ${command}`);
}
