import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort, until } from '@waggle/testing';
import { RemoteBrowser, type Command } from './remote-browser';

/** The paths of the commands, after the session's. */
const paths: Record<Exclude<Command, 'newSession'>, (id: string) => string> = {
  navigate: () => 'url',
  back: () => 'back',
  refresh: () => 'refresh',
  executeScript: () => 'execute/sync',
  elementClick: (id) => `element/${id}/click`,
  elementSendKeys: (id) => `element/${id}/value`,
};

/** Starts WebKitGTK, which Safari shares its engine with, on a display of its own. */
export async function startWebKit(): Promise<RemoteBrowser> {
  const display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = await once(display.stdout, 'data');
  const port = await findFreePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    // Without a GPU or a session bus. The sandbox needs user namespaces.
    env: {
      ...process.env,
      DISPLAY: `:${String(number).trim()}`,
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  });
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const request = { method, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`http://127.0.0.1:${port}/${path}`, request);
    const { value } = Object(await response.json());
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await until(() =>
    call('GET', 'status').then(
      () => true,
      () => false,
    ),
  );
  const options = { binary: miniBrowser, args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  const { sessionId } = Object(await call('POST', 'session', { capabilities }));
  return new RemoteBrowser(
    (command, { id = '', ...body }) => {
      if (command === 'newSession') throw new Error('it has a session');
      return call('POST', `session/${sessionId}/${paths[command](String(id))}`, body);
    },
    async () => {
      await call('DELETE', `session/${sessionId}`).catch(() => undefined);
      const ended = Promise.all([once(driver, 'exit'), once(display, 'exit')]);
      driver.kill('SIGKILL');
      display.kill('SIGKILL');
      await ended;
    },
  );
}

const miniBrowser = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
