import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { logIn } from '@waggle/client';
import { repositoryFolder, signAs } from '@waggle/running';
import { commandsIn, exampleIn, findFreePort, GuardedProcess, until } from '@waggle/testing';
import { longDescribe } from '@waggle/testing/long-form';
import { ChatSite } from './support/chat-site';
import { ExamplePages } from './support/example-pages';

/**
 * Installs the packages from their archives into projects as their generators create them. Needs the npm registry:
 * `LONG=true npx jest new-projects` takes 3 minutes.
 */

/** What `npm create vite` chooses, with exact versions. `create-next-app` chooses exact versions itself. */
const viteVersions = [
  'react@19.3.1',
  'react-dom@19.3.1',
  'vite@8.4.0',
  '@vitejs/plugin-react@6.3.0',
  'typescript@7.0.2',
  '@types/node@24.19.2',
  '@types/react@19.3.0',
  '@types/react-dom@19.3.0',
];
const nodeVersions = ['typescript@5.9.3', '@types/node@20.19.43'];

/** The address in the examples. */
const exampleUrl = 'https://chat.example';

/** Installing and building take minutes on a busy machine. */
const buildTimeoutMs = 900_000;

const run = promisify(execFile);
// Jest sets NODE_ENV, which changes what bundlers build.
const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1' };

longDescribe('new projects', () => {
  let folder: string;
  const plain = new ExamplePages();
  const ports = { vite: 0, next: 0 };
  let origins: string[] = [];
  const site = ChatSite.forTests({
    settings: async () => {
      ports.vite = await findFreePort();
      ports.next = await findFreePort();
      origins = [await plain.start(), originOf(ports.vite), originOf(ports.next)];
      return { BEARER_ORIGINS: origins.join() };
    },
    origins: () => origins,
  });
  const servers: GuardedProcess[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'waggle-projects-'));
    const [, pack = ''] = commandsIn('libs/chat-element/README.md', 'With a bundler');
    await run('sh', ['-c', `${pack} --pack-destination ${folder}`], { cwd: repositoryFolder, env });
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });
  afterAll(async () => {
    await plain.stop();
    rmSync(folder, { recursive: true });
  });

  function originOf(port: number): string {
    return `http://127.0.0.1:${port}`;
  }

  /** Runs a command in a project. Its output is in the error if it fails. */
  async function inProject(project: string, command: string): Promise<string> {
    const ran = await run('sh', ['-c', command], { cwd: path.join(folder, project), env }).catch((error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${command}: ${stdout}${stderr}`);
    });
    return ran.stdout;
  }

  /** Installs the archives as the README says, with more packages. */
  async function install(project: string, more: readonly string[]): Promise<void> {
    const [, , command = ''] = commandsIn('libs/chat-element/README.md', 'With a bundler');
    const exact = `${command.replaceAll('…', folder)} --save-exact --no-audit --no-fund`;
    await inProject(project, `${exact} ${more.join(' ')}`);
  }

  function write(project: string, file: string, text: string): void {
    writeFileSync(path.join(folder, project, file), text.replaceAll(exampleUrl, site.url));
  }

  async function serve(project: string, script: string, args: string[], url: string): Promise<void> {
    const options = { cwd: path.join(folder, project), env, stopSignal: 'SIGTERM', stopTimeoutMs: 10_000 } as const;
    const server = await GuardedProcess.start(process.execPath, [path.join('node_modules', script), ...args], options);
    servers.push(server);
    await until(async () => {
      if (server.endedWith !== undefined) throw new Error(server.lastLines.join('\n'));
      return await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    });
  }

  /** Signs in on a page. @returns the warnings and errors in its console */
  async function signIn(url: string): Promise<string[]> {
    const context = await site.newContext({ viewport: { width: 1280, height: 1_400 } });
    const page = await context.newPage();
    const logged: string[] = [];
    page.on('console', (message) => {
      const { url: source } = message.location();
      if (['error', 'warning'].includes(message.type())) logged.push(`${message.text()} (${source})`);
    });
    page.on('pageerror', (error) => logged.push(String(error)));
    await page.goto(url);
    await page.getByRole('button', { name: 'alice', exact: true }).click();
    await page.locator('waggle-chat waggle-conversation-list').waitFor();
    // A part that is loaded when it is needed.
    await page.locator('waggle-chat .list header button.me').click();
    await page.locator('waggle-settings').getByRole('button', { name: 'Sign out', exact: true }).waitFor();
    await page.reload();
    await page.locator('waggle-chat waggle-conversation-list').waitFor();
    return logged;
  }

  describe('of Vite with React', () => {
    beforeAll(async () => {
      const create = 'npx --yes create-vite@9.3.0 vite --template react-ts --no-interactive';
      await run('sh', ['-c', create], { cwd: folder, env });
      await install('vite', viteVersions);
    }, buildTimeoutMs);

    it.each([
      ['components', exampleIn('libs/chat-element/README.md', 'React')],
      ['tags', exampleIn('libs/chat-element/README.md', 'Tags in JSX')],
    ])('type-checks, builds and shows %s', async (_name, example) => {
      write('vite', 'src/App.tsx', example);
      await inProject(
        'vite',
        'npx tsc --noEmit -p tsconfig.app.json --strict --skipLibCheck false --types vite/client',
      );
      await inProject('vite', 'npm run build');
      const origin = originOf(ports.vite);
      const args = ['--host=127.0.0.1', '--strictPort', `--port=${ports.vite}`];
      await serve('vite', 'vite/bin/vite.js', ['preview', ...args], origin);
      expect(await signIn(origin)).toEqual([]);
      await servers.pop()?.stop();
      await serve('vite', 'vite/bin/vite.js', args, origin);
      expect(await signIn(origin)).toEqual([]);
    });
  });

  it(
    'of Next.js builds and shows a page of a server, and one with a hook',
    async () => {
      const flags = '--ts --app --no-eslint --no-tailwind --no-src-dir --skip-install --disable-git --yes';
      await run('sh', ['-c', `npx --yes create-next-app@16.4.3 next ${flags}`], { cwd: folder, env });
      await install('next', ['typescript@5.9.3', '@types/react@19.3.0', '@types/react-dom@19.3.0']);
      // The layout of the template downloads fonts.
      const body = '<html lang="en"><body>{children}</body></html>';
      write(
        'next',
        'app/layout.tsx',
        `export default function Layout({ children }: LayoutProps<'/'>) { return ${body}; }`,
      );
      write('next', 'app/page.tsx', exampleIn('libs/chat-element/README.md', 'React'));
      await inProject('next', 'mkdir app/hook app/tags');
      write('next', 'app/hook/page.tsx', exampleIn('libs/chat-element/README.md', 'Next.js'));
      write('next', 'app/tags/page.tsx', `'use client';\n${exampleIn('libs/chat-element/README.md', 'Tags in JSX')}`);
      expect(await inProject('next', 'npm run build')).not.toMatch(/warn|error/i);
      const origin = originOf(ports.next);
      const args = ['--hostname=127.0.0.1', `--port=${ports.next}`];
      const logged: string[] = [];
      for (const mode of ['start', 'dev']) {
        await serve('next', 'next/dist/bin/next', [mode, ...args], origin);
        for (const url of [origin, `${origin}/hook`, `${origin}/tags`])
          logged.push(...(await signIn(url)).map((each) => `${mode} ${url}: ${each}`));
        await servers.pop()?.stop();
      }
      expect(logged).toEqual([]);
    },
    buildTimeoutMs,
  );

  describe('without a bundler', () => {
    beforeAll(async () => {
      await inProject('.', 'mkdir node');
      await inProject('node', 'npm init --yes');
      await install('node', nodeVersions);
    }, buildTimeoutMs);

    it.each(['mts', 'cts'])('type-checks, compiles and runs app.%s', async (extension) => {
      const { tokens } = await logIn({ url: site.url, account: 'bob', sign: (text) => signAs('bob', text) });
      const code = `
        import { Chat, Session } from '@waggle/client';
        import { WaggleChat } from '@waggle/chat-element';
        const session = new Session({ url: '${exampleUrl}', tokens: ${JSON.stringify(tokens)} });
        const chat = new Chat({ session });
        async function run(): Promise<void> {
          await chat.connect();
          const { conversations } = await chat.fetchState();
          console.log([chat.account, conversations.length, typeof WaggleChat].join());
          await chat.close();
        }
        void run();
      `;
      write('node', `app.${extension}`, code);
      await inProject('node', `npx tsc --strict --module nodenext --target es2022 --types node app.${extension}`);
      expect(await inProject('node', `node app.${extension.replace('t', 'j')}`)).toBe('bob,0,function\n');
    });

    it('shows the files of the packages as they are in plain HTML', async () => {
      const modules = path.join(folder, 'node/node_modules/@waggle');
      for (const [name, dist] of [
        ['chat-element', 'dist'],
        ['client', 'dist/esm'],
      ] as const)
        for (const file of readdirSync(path.join(modules, name, dist), { recursive: true, encoding: 'utf8' }))
          if (file.endsWith('.js'))
            plain.add(`/${name}/${file}`, readFileSync(path.join(modules, name, dist, file), 'utf8'));
      const page = `
      <!doctype html><html lang="en"><title>Plain</title><link rel="icon" href="data:,">
      <script type="module">
        import '/chat-element/element.js';
        import { Chat } from '/client/browser.js';
        if (typeof Chat !== 'function') throw new Error('there is no Chat');
      </script>
      <waggle-chat server="${site.url}" style="height: 600px"></waggle-chat>`;
      plain.add('/page.html', page.trim());
      expect(await signIn(`${origins[0]}/page.html`)).toEqual([]);
    });
  });
});
