import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { GuardedProcess, processesUnder, until } from '@waggle/testing';

/** The address of the machine and, on the other end of its cable, of this one. */
const addresses = { machine: '10.213.77.2', host: '10.213.77.1' };

/**
 * A Debian machine with systemd, in a container with its own network. Needs root, and the packages debootstrap,
 * iproute2 and systemd-container.
 */
export class DebianMachine {
  readonly address = addresses.machine;
  readonly hostAddress = addresses.host;

  private constructor(
    private readonly folder: string,
    private readonly container: GuardedProcess,
  ) {}

  /** Installs and boots a machine with these packages, and with the Node.js that runs this test. */
  static async boot(packages: readonly string[]): Promise<DebianMachine> {
    const folder = mkdtempSync(path.join(tmpdir(), 'waggle-machine-'));
    chmodSync(folder, 0o755);
    const all = ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates', 'libatomic1', ...packages];
    execFileSync('debootstrap', ['--variant=minbase', `--include=${all.join()}`, 'bookworm', folder], {
      stdio: 'pipe',
    });
    const name = `waggle-${process.pid % 1_000}`;
    const options = ['--quiet', '--register=no', '--keep-unit', `--directory=${folder}`, `--machine=${name}`];
    const node = `--bind-ro=${process.execPath}:/usr/bin/node`;
    // Debian's systemd 252 also boots where the host has the first version of control groups.
    const container = await GuardedProcess.start(
      'systemd-nspawn',
      [...options, '--network-veth', node, '--boot', 'systemd.unified_cgroup_hierarchy=no'],
      {
        stopSignal: 'SIGTERM',
        stopTimeoutMs: 60_000,
        env: { PATH: process.env['PATH'] },
      },
    );
    const machine = new DebianMachine(folder, container);
    const state = () => machine.run('systemctl is-system-running || true').catch(String);
    await until(async () => (await state()) === 'running\n', { actual: state });
    const cable = `ve-${name}`;
    execFileSync('ip', ['addr', 'add', `${addresses.host}/30`, 'dev', cable]);
    execFileSync('ip', ['link', 'set', cable, 'up']);
    await machine.run(`ip addr add ${addresses.machine}/30 dev host0 && ip link set host0 up`);
    return machine;
  }

  /** The path of one of its files on this machine. */
  file(name: string): string {
    return path.join(this.folder, name);
  }

  /** Runs a script as root, in /root. @returns its output @throws Error with its output if it fails */
  async run(script: string): Promise<string> {
    const inside = ['--mount', '--pid', '--net', '--uts', '--ipc', '--cgroup', '--wdns=/root'];
    const search = 'PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin';
    const command = ['env', '--ignore-environment', search, 'sh', '-euc', script];
    const { stdout } = await promisify(execFile)('nsenter', [
      '--target',
      String(this.initPid()),
      ...inside,
      ...command,
    ]);
    return stdout;
  }

  async stop(): Promise<void> {
    await this.container.stop();
    execFileSync('rm', ['-r', this.folder]);
  }

  /** Returns the process id of its systemd. While it boots, systemd-nspawn has other children. */
  private initPid(): number {
    const nameOf = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    const found = processesUnder(this.container.pid).find((pid) => nameOf(pid) === 'systemd');
    if (found === undefined) throw new Error(`no systemd runs: ${this.container.lastLines.join('\n')}`);
    return found;
  }
}
