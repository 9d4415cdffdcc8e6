import { type CatchUpProgress } from '@waggle/chain';

/** The part of `process.stdout` that a progress bar uses. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const drawIntervalMs = 250;
const barWidth = 24;
const clearLine = '\r\u001b[2K';

/** Shows how far the followers of a process are, in one line of a terminal. */
export class ProgressBar {
  private readonly textByFollower = new Map<string, string>();
  private drawnAtMs = -Infinity;

  constructor(private readonly terminal: Terminal) {}

  /** @param progress undefined for a follower that has caught up */
  update(follower: string, progress: CatchUpProgress | undefined): void {
    if (progress === undefined && !this.textByFollower.delete(follower)) return;
    if (progress !== undefined) this.textByFollower.set(follower, `${follower} ${progressText(progress)}`);
    const nowMs = performance.now();
    if (progress !== undefined && nowMs - this.drawnAtMs < drawIntervalMs) return;
    this.drawnAtMs = nowMs;
    const line = [...this.textByFollower.values()].join('   ').slice(0, (this.terminal.columns ?? 120) - 1);
    // The cursor stays at the beginning of the line, so that the next line of the log overwrites the bar.
    this.terminal.write(`${clearLine}${line}\r`);
  }
}

/** Such as `[######------]  50.0 %  500 of 1,000 blocks  100 blocks/s  5 s left`. */
export function progressText({ block, target, blocksPerSecond, etaSeconds }: CatchUpProgress): string {
  const share = target > 0 ? block / target : 1;
  const filled = Math.floor(share * barWidth);
  return [
    `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`,
    // Never 100 %: there are blocks left.
    `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`,
    `${block.toLocaleString('en')} of ${target.toLocaleString('en')} blocks`,
    `${Math.round(blocksPerSecond).toLocaleString('en')} blocks/s`,
    ...(etaSeconds === undefined ? [] : [`${durationText(etaSeconds)} left`]),
  ].join('  ');
}

/** The two largest units that matter, such as `3 h 55 min`. */
export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(whole / 3_600);
  if (hours < 24) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
