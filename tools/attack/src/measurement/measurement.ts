import { percentile, type ServiceProcess } from '@waggle/running';
import { residentBytes } from '@waggle/testing';
import { fetchOnce, isLive } from './health-probe';

const memoryEveryMs = 50;
const probeEveryMs = 200;
/** Each scrape returns the percentile since the previous one. */
const scrapeEveryMs = 5_000;

/** Measurements of a service's process in a phase of a run. */
export interface Figures {
  residentMaxBytes: number;
  /** Of `GET /health/live`: 99th percentile, maximum, and how many got no response within 4 s. */
  liveP99Ms: number | undefined;
  liveMaxMs: number | undefined;
  liveFailures: number;
  /** The maximum 99th percentile of the event loop delay that the service reported; undefined if it reported none. */
  eventLoopP99Ms: number | undefined;
  /** How the process ended, and how long after the start of the measurement. */
  died: { how: string; afterSeconds: number } | undefined;
}

/** Returns the 99th percentile and the maximum of the times of health probes. */
export function liveFigures(liveMs: readonly number[]): Pick<Figures, 'liveP99Ms' | 'liveMaxMs'> {
  if (liveMs.length === 0) return { liveP99Ms: undefined, liveMaxMs: undefined };
  return { liveP99Ms: percentile(liveMs, 0.99), liveMaxMs: percentile(liveMs, 1) };
}

/** Measures one service until it is stopped. */
export class Measurement {
  private readonly timers: NodeJS.Timeout[];
  private readonly sinceMs = performance.now();
  private readonly running = new Set<Promise<void>>();
  private readonly liveMs: number[] = [];
  private residentMaxBytes = 0;
  private liveFailures = 0;
  private eventLoopP99Ms: number | undefined;
  private died: Figures['died'];
  /** Resolves when the process ends. */
  readonly ended: Promise<void>;

  constructor(private readonly service: ServiceProcess) {
    this.ended = service.process.whenEnded().then((how) => {
      this.died = { how, afterSeconds: (performance.now() - this.sinceMs) / 1_000 };
    });
    this.readMemory();
    this.timers = [
      setInterval(() => {
        this.readMemory();
      }, memoryEveryMs),
      setInterval(() => {
        this.begin(this.probe());
      }, probeEveryMs),
      setInterval(() => {
        this.begin(this.scrape());
      }, scrapeEveryMs),
    ];
  }

  /** Resolves when the last probe is done. */
  async stop(): Promise<Figures> {
    for (const timer of this.timers) clearInterval(timer);
    if (this.died === undefined) this.begin(this.scrape());
    await Promise.all(this.running);
    return {
      residentMaxBytes: this.residentMaxBytes,
      ...liveFigures(this.liveMs),
      liveFailures: this.liveFailures,
      eventLoopP99Ms: this.eventLoopP99Ms,
      died: this.died,
    };
  }

  private readMemory(): void {
    if (this.died !== undefined) return;
    try {
      this.residentMaxBytes = Math.max(this.residentMaxBytes, residentBytes(this.service.process.pid));
    } catch {
      // It has just ended, which `ended` reports.
    }
  }

  private async probe(): Promise<void> {
    const sinceMs = performance.now();
    if (await isLive(this.service.url)) this.liveMs.push(performance.now() - sinceMs);
    else this.liveFailures += 1;
  }

  private async scrape(): Promise<void> {
    const metrics = await fetchOnce(this.service.url, '/metrics');
    const [, seconds] = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics ?? '') ?? [];
    if (seconds === undefined) return;
    this.eventLoopP99Ms = Math.max(this.eventLoopP99Ms ?? 0, Number(seconds) * 1_000);
  }

  private begin(work: Promise<void>): void {
    const running = work.finally(() => this.running.delete(running));
    this.running.add(running);
  }
}
