import { createServer, type Server } from 'node:net';
import { PlainError } from '@waggle/running';
import { findFreePort, isPortFree } from '@waggle/testing';
import { chatPort, delegationPort, devnetPort, portOf, requireFreePorts } from './ports';

it.each([
  [{}, 3000],
  [{ CHAT_PORT: '' }, 3000],
  [{ CHAT_PORT: '1' }, 1],
  [{ CHAT_PORT: '65535' }, 65_535],
])('reads the port of %j', (environment, port) => {
  expect(portOf(chatPort, environment)).toBe(port);
});

it.each(['0', '65536', '-1', '80.5', '1e3', ' 80', 'http'])('rejects %j with a plain error', (text) => {
  expect(() => portOf(chatPort, { CHAT_PORT: text })).toThrow(PlainError);
  expect(() => portOf(chatPort, { CHAT_PORT: text })).toThrow(`CHAT_PORT=${text} is not a port for the chat`);
});

describe('a port that is taken', () => {
  let taken: number;
  let server: Server;
  beforeAll(async () => {
    taken = await findFreePort();
    server = createServer().listen(taken, '127.0.0.1');
  });
  afterAll(() => {
    server.close();
  });

  async function proposalFor(environment: NodeJS.ProcessEnv): Promise<number> {
    const error: unknown = await requireFreePorts([chatPort, devnetPort], environment).catch(
      (reason: unknown) => reason,
    );
    const message = error instanceof PlainError ? error.message : '';
    const [, port] =
      /^Port \d+ for the chat is taken\. Choose another one: CHAT_PORT=(\d+) npm start$/.exec(message) ?? [];
    return Number(port);
  }

  it('is replaced by a free one of no other service', async () => {
    const next = taken + 1;
    const environment = { CHAT_PORT: String(taken), DELEGATION_PORT: String(next), DEVNET_PORT: String(next + 1) };
    const proposal = await proposalFor(environment);
    // The devnet takes two.
    expect([next, next + 1, next + 2]).not.toContain(proposal);
    expect(proposal).toBeGreaterThan(taken);
    expect(await isPortFree(proposal)).toBe(true);
  });

  it('is reported if the second node of the devnet needs it', async () => {
    await expect(requireFreePorts([devnetPort], { DEVNET_PORT: String(taken - 1) })).rejects.toThrow(
      `Port ${taken} for the devnet is taken. Choose another one: DEVNET_PORT=`,
    );
  });
});

it('rejects one port for two services', async () => {
  const port = await findFreePort();
  const environment = { CHAT_PORT: String(port), DELEGATION_PORT: String(port) };
  await expect(requireFreePorts([chatPort, delegationPort], environment)).rejects.toThrow(
    `Port ${port} for the delegation service is that of the chat. Choose another one: DELEGATION_PORT=`,
  );
});
