import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort, until } from '@waggle/testing';
import { RemoteBrowser, type Command } from './remote-browser';

/** The names of the commands in Marionette, which geckodriver translates WebDriver into. */
const names: Record<Command, string> = {
  newSession: 'WebDriver:NewSession',
  navigate: 'WebDriver:Navigate',
  back: 'WebDriver:Back',
  refresh: 'WebDriver:Refresh',
  executeScript: 'WebDriver:ExecuteScript',
  elementClick: 'WebDriver:ElementClick',
  elementSendKeys: 'WebDriver:ElementSendKeys',
};

/** Starts Firefox without a window. */
export async function startFirefox(): Promise<RemoteBrowser> {
  const port = await findFreePort();
  const profile = mkdtempSync(path.join(tmpdir(), 'waggle-firefox-'));
  writeFileSync(path.join(profile, 'user.js'), `user_pref('marionette.port', ${port});\n`);
  const process = spawn('firefox-esr', ['--headless', '--marionette', '--no-remote', '--profile', profile], {
    stdio: 'ignore',
  });
  const connection = await Marionette.connect(port);
  await connection.send(names.newSession, { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
  return new RemoteBrowser(
    async (command, params) => {
      const result = await connection.send(names[command], params);
      return isRecord(result) && 'value' in result ? result['value'] : result;
    },
    async () => {
      const ended = once(process, 'exit');
      await connection.send('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => undefined);
      connection.close();
      process.kill('SIGKILL');
      await ended;
      rmSync(profile, { recursive: true, force: true });
    },
  );
}

/**
 * Firefox's remote protocol: JSON arrays, each after its length in bytes and a colon.
 * https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
 */
class Marionette {
  private received = Buffer.alloc(0);
  private readonly pending = new Map<number, (error: unknown, result: unknown) => void>();
  private lastId = 0;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (data) => {
      this.received = Buffer.concat([this.received, data]);
      for (let message = this.take(); message !== undefined; message = this.take()) this.handle(message);
    });
    socket.on('error', () => {
      this.close();
    });
    socket.on('close', () => {
      for (const settle of this.pending.values()) settle('the connection to Firefox is closed', undefined);
    });
  }

  /** Connects when Firefox listens. */
  static async connect(port: number): Promise<Marionette> {
    let socket: Socket | undefined;
    await until(async () => {
      const attempt = connect(port, '127.0.0.1');
      const isConnected = await Promise.race([
        once(attempt, 'connect').then(() => true),
        once(attempt, 'error').then(() => false),
      ]).catch(() => false);
      if (isConnected) socket = attempt;
      return isConnected;
    });
    if (socket === undefined) throw new Error('Firefox does not listen');
    return new Marionette(socket);
  }

  send(name: string, params: Record<string, unknown>): Promise<unknown> {
    const id = ++this.lastId;
    const text = JSON.stringify([0, id, name, params]);
    return new Promise((resolve, reject) => {
      this.pending.set(id, (error, result) => {
        this.pending.delete(id);
        if (error === null) resolve(result);
        else reject(new Error(`${name}: ${JSON.stringify(error)}`));
      });
      this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private take(): unknown {
    const colon = this.received.indexOf(':');
    const end = colon + 1 + Number(this.received.subarray(0, Math.max(0, colon)));
    if (colon < 0 || this.received.length < end) return undefined;
    const text = this.received.subarray(colon + 1, end).toString();
    this.received = this.received.subarray(end);
    return JSON.parse(text);
  }

  /** The first message is a greeting, the others are responses. */
  private handle(message: unknown): void {
    if (!Array.isArray(message)) return;
    const [, id, error, result]: unknown[] = message;
    this.pending.get(Number(id))?.(error, result);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
