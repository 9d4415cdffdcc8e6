import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import path from 'node:path';

const program = path.join(__dirname, '../../../../docker/server/until-ready.js');

describe('the wait for an instance', () => {
  let server: Server;
  let isReady: boolean;
  let requests: number;
  const started: ChildProcess[] = [];
  beforeEach(async () => {
    [isReady, requests] = [false, 0];
    server = createServer((_, response) => {
      requests += 1;
      response.writeHead(isReady ? 200 : 503).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    for (const child of started.splice(0)) child.kill();
    server.close();
  });

  const portOf = () => String((server.address() as AddressInfo).port);
  /** Waits as the unit does, while another process stands for its main process. */
  const wait = (mainPid: number | undefined) => {
    const waiting = spawn(process.execPath, [program, portOf()], {
      env: { ...process.env, MAINPID: String(mainPid ?? '') },
    });
    started.push(waiting);
    let errors = '';
    waiting.stderr.on('data', (data) => (errors += String(data)));
    return once(waiting, 'close').then(([code]: unknown[]) => ({ code, errors }));
  };

  it('ends when the instance is ready', async () => {
    for (const mainPid of [process.pid, undefined]) {
      [isReady, requests] = [false, 0];
      const ended = wait(mainPid);
      while (requests < 3) await once(server, 'request');
      isReady = true;
      expect(await ended).toEqual({ code: 0, errors: '' });
    }
  });

  it('fails when the main process has ended', async () => {
    const main = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1_000)']);
    started.push(main);
    const ended = wait(main.pid);
    while (requests < 2) await once(server, 'request');
    main.kill();
    expect(await ended).toEqual({
      code: 1,
      errors: `The instance on port ${portOf()} ended before it was ready. Read: journalctl -u waggle-chat@${portOf()}\n`,
    });
  });
});
