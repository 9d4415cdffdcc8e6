import { type ServerName, provideServers } from './servers';

/** Jest loads setup and teardown separately; they share only the global object. */
declare global {
  var endTestServers: (() => Promise<void>) | undefined;
}

interface ProjectConfig {
  globals: Record<string, unknown>;
}

/** For `globalSetup`: starts the servers that `globals.testServers` of the Jest configuration lists. */
export default async function setUp(_global: unknown, project: ProjectConfig): Promise<void> {
  globalThis.endTestServers = await provideServers(serversOf(project));
}

function serversOf({ globals }: ProjectConfig): ServerName[] {
  const names: unknown = globals['testServers'];
  const isName = (name: unknown): name is ServerName => name === 'postgres' || name === 'redis';
  if (Array.isArray(names) && names.every(isName)) return names;
  throw new TypeError("jest.config.cjs: globals.testServers must be a list of 'postgres' and 'redis'");
}
