import { type ChildProcess, spawn } from 'node:child_process';

export interface GuardOptions {
  /** The signal that shuts the guarded process down. */
  stopSignal: 'SIGINT' | 'SIGTERM';
  /** Maximum duration of the shutdown before the process is killed. */
  stopTimeoutMs: number;
  /**
   * A folder that the guard removes after it ended the process; if the parent ends the process, the parent removes it.
   */
  temporaryFolder?: string | undefined;
}

// Reads the process id from its last argument or the first line, then waits until the pipe from its parent closes
// without another line, which happens even if the parent is killed. The process and its children may be paused, so they
// need SIGCONT. An ended process may stay a zombie if the init process of a container does not reap it.
const script = `
trap '' HUP INT TERM
pid=$4
[ -n "$pid" ] || read -r pid || exit 0
read -r line && exit 0
children=$(cat "/proc/$pid/task/$pid/children" 2>/dev/null || pgrep -P "$pid" 2>/dev/null)
kill -s "$1" "$pid" 2>/dev/null
kill -s CONT "$pid" $children 2>/dev/null
lives() {
  case "$(cat "/proc/$pid/stat" 2>/dev/null)" in *") Z "*) return 1 ;; esac
  kill -0 "$pid" 2>/dev/null
}
tenths=0
while [ "$tenths" -lt "$2" ] && lives; do sleep 0.1; tenths=$((tenths + 1)); done
kill -s KILL "$pid" 2>/dev/null
[ -z "$3" ] || rm -rf "$3"
exit 0
`;

/**
 * Ends a process when its parent ends, even by SIGKILL, when the parent cannot clean up.
 *
 * It is a shell that holds the reading end of a pipe. It starts before the process that it guards, and is replaced if
 * it is killed.
 */
export class Guard {
  private shell: ChildProcess;
  private pid: number | undefined;
  private released = false;

  constructor(private readonly options: GuardOptions) {
    this.shell = this.startShell();
  }

  watch(pid: number): void {
    this.pid = pid;
    this.shell.stdin?.write(`${pid}\n`);
  }

  /** Ends the guard after the guarded process ended. */
  async release(): Promise<void> {
    this.released = true;
    const shell = this.shell;
    if (shell.exitCode !== null || shell.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => {
      shell.once('exit', () => {
        resolve();
      });
    });
    shell.ref();
    // If there was no process id yet, the first line would be read as one.
    shell.stdin?.end(this.pid === undefined ? '' : 'ended\n');
    await ended;
  }

  private startShell(): ChildProcess {
    const { stopSignal, stopTimeoutMs, temporaryFolder } = this.options;
    const signal = stopSignal.slice('SIG'.length);
    const tenths = String(Math.ceil(stopTimeoutMs / 100));
    // A separate session, so that only the parent gets Ctrl-C of the terminal.
    const pid = this.pid === undefined ? '' : String(this.pid);
    const shell = spawn('/bin/sh', ['-c', script, 'waggle-guard', signal, tenths, temporaryFolder ?? '', pid], {
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    shell.unref();
    // A guard that was killed cannot be written to; its end is noticed below.
    shell.stdin.on('error', () => undefined);
    shell.once('exit', (_code, killedBy) => {
      if (killedBy === null || this.released) return;
      this.shell = this.startShell();
    });
    return shell;
  }
}
