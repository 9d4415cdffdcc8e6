// `node tools/run.mjs <one of the commands below>`: installs what is missing, builds, and runs. Plain JavaScript
// without dependencies, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (...parts) => path.join(root, ...parts);
const nx = [process.execPath, inRoot('node_modules/.bin/nx')];
const [command, ...args] = process.argv.slice(2);

const commands = {
  start: () => buildAndRun('tools/local', 'start'),
  devnet: () => buildAndRun('tools/local', 'devnet'),
  chat: () => buildAndRun('tools/local', 'chat', { quietly: true }),
  'video-login': () => buildAndRun('tools/local', 'video-login', { quietly: true }),
  'bench:chat': () => buildAndRun('tools/bench', 'chat/main'),
  'bench:delegation': () => buildAndRun('tools/bench', 'delegation/main'),
  'bench:gateway': () => buildAndRun('tools/bench', 'gateway/main'),
  'bench:web': () => buildAndRun('tools/web', 'bench/main'),
  screenshot: () => buildAndRun('tools/web', 'screenshot'),
  'chaos:chat': () => buildAndRun('tools/chaos', 'main'),
  attack: () => buildAndRun('tools/attack', 'main'),
  'rolling-restart': () => buildAndRun('tools/chaos', 'rolling-restart/main'),
  release: () => buildAndRun('tools/repository', 'release', { quietly: true }),
  'check-nodes': checkNodes,
  'gateway:check-config': () => buildAndRun('apps/rpc-gateway', 'check-config.main', { quietly: true }),
  'gateway:snapshot': () => buildAndRun('apps/rpc-gateway', 'snapshot.main', { quietly: true }),
  format: () => format(...args),
  test,
};

/** Shows a step while it runs: in a terminal by a bar, which is removed at the end, otherwise by lines. */
class Progress {
  #isTerminal = process.stdout.isTTY === true;
  #startedAt = Date.now();
  #step;
  #quietly;
  #timer;
  #share = 0;
  #projects = '';
  /** Gets each line that the running command prints. */
  read = () => undefined;

  /** @param quietly whether it shows no lines */
  constructor(step, quietly = false) {
    this.#step = step;
    this.#quietly = quietly;
    this.#show(`${step}.`);
    this.#timer = setInterval(() => this.#show(`  ${this.#seconds()}`), this.#isTerminal ? 1_000 : 15_000);
  }

  update(done, total) {
    this.#share = done / total;
    this.#projects = `  ${done} of ${total} projects`;
    this.#show(this.#projects);
  }

  end() {
    clearInterval(this.#timer);
    if (this.#isTerminal) process.stdout.write(clearLine);
  }

  #seconds() {
    return `${Math.round((Date.now() - this.#startedAt) / 1_000)} s`;
  }

  /** @param line what is shown without a terminal */
  #show(line) {
    if (!this.#isTerminal) {
      if (!this.#quietly) console.log(line);
      return;
    }
    const filled = Math.floor(this.#share * barWidth);
    const bar = `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]  ${this.#step}${this.#projects}  ${this.#seconds()}`;
    process.stdout.write(clearLine + bar.slice(0, process.stdout.columns - 1));
  }
}

const barWidth = 24;
const clearLine = '\r\u001b[2K';

/** The running child process. It receives the signals; this process then exits with its exit code. */
let child;
let endedBy;

if (!Object.hasOwn(commands, command)) fail(`usage: node tools/run.mjs ${Object.keys(commands).join('|')}`);
requireNode();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
// npm does not notify its child when it is killed, so end if an ancestor of this process changes.
const initialAncestors = ancestors();
if (process.env.npm_lifecycle_event !== undefined)
  setInterval(() => ancestors() === initialAncestors || end('SIGTERM'), 500).unref();
const isSetUp = process.env.WAGGLE_SKIP_SETUP === 'true';
if (!isSetUp) await install();
process.exitCode = await commands[command]();

async function install() {
  const lock = inRoot('package-lock.json');
  const stamp = inRoot('node_modules/.waggle-installed');
  const wanted = createHash('sha256').update(readFileSync(lock)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const npmsOwn = inRoot('node_modules/.package-lock.json');
  if (!existsSync(npmsOwn) || statSync(npmsOwn).mtimeMs < statSync(lock).mtimeMs) {
    const npm = process.env.npm_execpath?.endsWith('npm-cli.js')
      ? [process.execPath, process.env.npm_execpath]
      : ['npm'];
    const progress = new Progress('Installing packages');
    const code = await run([...npm, 'ci', '--include=dev', '--include=optional'], { progress });
    if (code !== 0) process.exit(code);
  }
  writeFileSync(stamp, wanted);
}

/** Builds a project and its dependencies, and runs one of its scripts. */
async function buildAndRun(folder, script, { quietly = false } = {}) {
  const code = isSetUp ? 0 : await build(folder, quietly);
  if (code !== 0) return code;
  // The child stops when the IPC channel closes, so it also stops if this process is killed.
  return await run([process.execPath, inRoot(folder, `dist/${script}.js`), ...args], { stdio: [0, 1, 2, 'ipc'] });
}

/** Builds, and shows how many projects are built instead of the output of Nx, unless that fails. */
function build(folder, quietly) {
  const progress = new Progress('Building', quietly);
  let total = 1;
  let built = 0;
  progress.read = (line) => {
    total += Number(/ and (\d+) tasks? it depends on/.exec(line)?.[1] ?? 0);
    if (/^✔ +nx run /.test(line)) progress.update(++built, total);
  };
  return run([...nx, 'run-many', '-t', 'build', '-p', path.basename(folder)], { progress });
}

/** Each service has its own check, which its image contains too. It exits with 2 if the URLs are invalid. */
async function checkNodes() {
  let result = 0;
  for (const app of ['chat', 'video-auth', 'delegation', 'rpc-gateway']) {
    const code = await buildAndRun(`apps/${app}`, 'check-nodes.main', { quietly: true });
    if (code > 1) return code;
    result = Math.max(result, code);
  }
  return result;
}

function format(...options) {
  return run([process.execPath, inRoot('node_modules/.bin/oxfmt'), ...options]);
}

async function test() {
  const totals = mkdtempSync(path.join(tmpdir(), 'waggle-totals-'));
  const isFormatted = (await format('--check')) === 0;
  const targets = ['-t', 'lint-workspace', 'test', 'longest-tests', '--outputStyle=stream'];
  const code = await run([...nx, 'run-many', ...targets, ...args], { env: { WAGGLE_TEST_TOTALS: totals } });
  const runs = readdirSync(totals).map((name) => JSON.parse(readFileSync(path.join(totals, name), 'utf8')));
  rmSync(totals, { recursive: true });
  const sum = (key) => runs.reduce((total, run) => total + run[key], 0);
  const unchanged = code !== 0 || args.length > 0 ? 0 : projectsWithTests().length - runs.length;
  if (unchanged > 0)
    console.log(`The tests of ${unchanged} projects were not run: nothing changed since they passed (cached).`);
  // Repeat failures at the end: they are thousands of lines above, in the output of other projects.
  for (const { file, message } of runs.flatMap(({ failures }) => failures))
    console.log(`FAIL ${path.relative(root, file)}\n${message}`);
  if (runs.length > 0) console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  if (!isFormatted) console.log('Files are not formatted (listed above): npm run format');
  // Nx exits with 130, as if interrupted, if it skipped tasks because a dependency of theirs failed.
  return endedBy || (code === 0 && isFormatted) ? code : 1;
}

function projectsWithTests() {
  return ['apps', 'libs', 'tools']
    .flatMap((folder) => readdirSync(inRoot(folder)).map((name) => `${folder}/${name}`))
    .filter((folder) => existsSync(inRoot(folder, 'jest.config.cjs')));
}

/**
 * Runs a command and resolves with its exit code. With `progress`, its output is shown only if it fails, and its lines
 * are passed to `progress.read`.
 */
function run(
  [file, ...rest],
  { progress, env = {}, stdio = progress === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe'] } = {},
) {
  if (endedBy) process.exit(128 + constants.signals[endedBy]);
  return new Promise((resolve) => {
    const output = [];
    const quietNx = { NX_TUI: 'false', NX_DAEMON: 'false' };
    child = spawn(file, rest, { cwd: root, stdio, env: { ...process.env, ...quietNx, ...env } });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
    if (child.stdout) createInterface(child.stdout).on('line', (line) => progress.read(stripVTControlCharacters(line)));
    child.on('error', (error) => fail(`${file}: ${error.message}`));
    child.on('close', (code, signal) => {
      child = undefined;
      const result = code ?? 128 + constants.signals[signal];
      progress?.end();
      if (result !== 0 && !endedBy) process.stderr.write(Buffer.concat(output));
      resolve(result);
    });
  });
}

/** Ends the child. A terminal also sends the signal to the child itself, which treats two signals as one. */
function end(signal) {
  endedBy = signal;
  if (child === undefined) process.exit(128 + constants.signals[signal]);
  child.kill(signal);
}

/** Identifies the parent process, and its parent too if it is only the shell that npm started. */
function ancestors() {
  const shell = `/proc/${process.ppid}`;
  try {
    if (!readFileSync(`${shell}/cmdline`, 'utf8').includes('run.mjs')) return String(process.ppid);
    return `${process.ppid} ${/PPid:\s+(\d+)/.exec(readFileSync(`${shell}/status`, 'utf8'))[1]}`;
  } catch {
    return String(process.ppid); // Not Linux.
  }
}

function requireNode() {
  const wanted = /[\d.]+/.exec(JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).engines.node)[0];
  const [needs, has] = [wanted, process.versions.node].map((version) => version.split('.').map(Number));
  const difference = needs.map((part, index) => has[index] - part).find((part) => part !== 0) ?? 0;
  if (difference < 0) fail(`Waggle needs Node ${wanted} or newer; this is ${process.versions.node}.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
