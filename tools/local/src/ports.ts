import { type SoftwareName } from '@waggle/devnet';
import { PlainError } from '@waggle/running';
import { isPortFree } from '@waggle/testing';

/** A port that an environment variable can change. PostgreSQL has no such port: each start chooses a free one. */
export interface PortSetting {
  /** The name of the service. */
  name: string;
  variable: string;
  byDefault: number;
  /** How many ports it takes, from this one on; by default one. */
  count?: number;
}

/** The software of the devnet's nodes: both kinds that services meet on Hive. */
export const devnetNodes: readonly SoftwareName[] = ['hived', 'haf'];

/** Of the first node; each further one has the next port. */
export const devnetPort: PortSetting = {
  name: 'devnet',
  variable: 'DEVNET_PORT',
  byDefault: 8091,
  count: devnetNodes.length,
};
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

const settings: readonly PortSetting[] = [
  devnetPort,
  chatPort,
  delegationPort,
  delegationIndexerPort,
  videoAuthPort,
  gatewayPort,
  gatewayIndexerPort,
];

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
 * Checks that the ports of `npm start` are free, and that no two settings name the same one.
 *
 * @throws PlainError naming the variable that changes the port, and a free port
 */
export async function requireFreePorts(wanted: readonly PortSetting[], environment: NodeJS.ProcessEnv): Promise<void> {
  const owners = new Map<number, PortSetting>();
  for (const setting of wanted) {
    for (const port of portsOf(setting, environment)) {
      if (owners.has(port) || !(await isPortFree(port)))
        throw await portTaken(setting, port, 'npm start', environment, owners.get(port));
      owners.set(port, setting);
    }
  }
}

/** @param command the command that failed to start @param owner who takes the port, if it is ours */
export async function portTaken(
  setting: PortSetting,
  port: number,
  command: string,
  environment: NodeJS.ProcessEnv,
  owner?: PortSetting,
): Promise<PlainError> {
  const reason = owner === undefined ? 'is taken' : `is that of the ${owner.name}`;
  const another = await findOtherPort(setting, environment);
  return new PlainError(
    `Port ${port} for the ${setting.name} ${reason}. Choose another one: ${setting.variable}=${another} ${command}`,
  );
}

/** Finds the next free port that is not one of the other settings. */
async function findOtherPort(setting: PortSetting, environment: NodeJS.ProcessEnv): Promise<number> {
  const others = settings.filter((each) => each !== setting).flatMap((each) => portsOf(each, environment));
  for (let first = portOf(setting, environment) + 1; ; first += 1) {
    if (first + (setting.count ?? 1) > 65_536) first = 1024;
    const ports = portsFrom(first, setting);
    const areFree = await Promise.all(ports.map(async (port) => !others.includes(port) && (await isPortFree(port))));
    if (areFree.every(Boolean)) return first;
  }
}

function portsOf(setting: PortSetting, environment: NodeJS.ProcessEnv): number[] {
  return portsFrom(portOf(setting, environment), setting);
}

function portsFrom(first: number, { count = 1 }: PortSetting): number[] {
  return Array.from({ length: count }, (_none, index) => first + index);
}
