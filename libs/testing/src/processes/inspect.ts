import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** A living process. The system may reuse its id, but not the combination of id and start time. */
export interface RunningProcess {
  command: string;
  /** For comparison only; the format depends on the system. */
  startedAt: string;
}

const hasProcFolder = existsSync('/proc/self/stat');

/** Finds a process; undefined if none has the id, or if it is a zombie. */
export function findProcess(pid: number): RunningProcess | undefined {
  return hasProcFolder ? findInProcFolder(pid) : findByPs(pid);
}

/** Returns the ids of the living child processes. */
export function childrenOf(pid: number): number[] {
  if (!hasProcFolder) {
    const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    return rows
      .map((row) => row.trim().split(/\s+/).map(Number))
      .flatMap(([id, parent]) => (id && parent === pid ? [id] : []));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => statFields(id)?.[1] === String(pid));
}

/** Clock ticks a second in proc(5): USER_HZ, which is 100 on every architecture that Node runs on. */
const ticksPerSecond = 100;

/**
 * Returns the CPU time in seconds, user and system, of a process and its children, ended children included. Undefined
 * if the process has ended, and on systems without /proc.
 */
export function cpuSecondsOf(pid: number): number | undefined {
  if (!hasProcFolder || statFields(pid) === undefined) return undefined;
  // proc(5), counted from the field after the name: utime, stime, and both of the children that it waited for.
  const ticks = [pid, ...childrenOf(pid)].flatMap((id) => statFields(id)?.slice(11, 15).map(Number) ?? []);
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}

/** Returns the resident memory of a process in bytes. @throws Error if the process has ended */
export function residentBytes(pid: number): number {
  const kib = hasProcFolder
    ? /VmRSS:\s+(\d+) kB/.exec(readIfThere(`/proc/${pid}/status`) ?? '')?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  if (kib === undefined) throw new Error(`process ${pid} has ended`);
  return Number(kib) * 1024;
}

function findInProcFolder(pid: number): RunningProcess | undefined {
  const fields = statFields(pid);
  // proc(5), counted from the field after the name: 0 is the state, 1 the parent, 19 the start in clock ticks after
  // boot.
  const [state, startedAt] = [fields?.[0], fields?.[19]];
  if (state === undefined || startedAt === undefined || state === 'Z' || state === 'X') return undefined;
  return { command: readIfThere(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim() ?? '', startedAt };
}

function statFields(pid: number): string[] | undefined {
  // The name is in parentheses and may itself hold spaces and parentheses.
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // The process has ended, perhaps between two reads.
  }
}

function findByPs(pid: number): RunningProcess | undefined {
  try {
    const read = (column: string) =>
      execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
    return read('state').startsWith('Z') ? undefined : { command: read('args'), startedAt: read('lstart') };
  } catch {
    return undefined; // ps fails if there is no such process.
  }
}

/** Returns the ids of all living descendants. */
export function processesUnder(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...processesUnder(child)]);
}
