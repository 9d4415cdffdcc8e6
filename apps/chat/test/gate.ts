import { setTimeout as pause } from 'node:timers/promises';
import { type TestDatabase } from '@waggle/testing';
import { Client } from 'pg';

/** Against hanging: the chat itself gives up a lock after two seconds. */
const arrivalMostMs = 30_000;

/** A statement that takes locks. */
export interface Lock {
  text: string;
  values?: string[];
}

/**
 * How many statements wait for $1, or for who waits for it. Others wait for a moment for one another: two instances that mark
 * the same streams, say.
 */
const behind = `
  WITH RECURSIVE waiting AS MATERIALIZED (
    SELECT pid, pg_blocking_pids(pid) AS blockers FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
  ), line (pid) AS (
    SELECT $1::int UNION SELECT waiting.pid FROM waiting JOIN line ON line.pid = ANY (waiting.blockers)
  )
  SELECT count(*)::int - 1 AS waiting FROM line`;

/**
 * A lock in the database that is held by the test, so that what races is sure to meet: it stands in line at the lock,
 * wherever it is then, and goes on from there when the gate opens.
 */
export class Gate {
  private constructor(
    private readonly holder: Client,
    private readonly holderPid: number,
    /** Outside of a transaction, where PostgreSQL shows at each look who waits now. */
    private readonly observer: Client,
  ) {}

  static async of({ url }: TestDatabase): Promise<Gate> {
    const [holder, observer] = [new Client({ connectionString: url }), new Client({ connectionString: url })];
    await Promise.all([holder.connect(), observer.connect()]);
    const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const [{ pid }] = rows as [{ pid: number }];
    return new Gate(holder, pid, observer);
  }

  async remove(): Promise<void> {
    await Promise.all([this.holder.end(), this.observer.end()]);
  }

  async close(lock: Lock): Promise<void> {
    await this.holder.query('BEGIN');
    await this.holder.query(lock);
  }

  async open(): Promise<void> {
    await this.holder.query('COMMIT');
  }

  /**
   * Resolves when so many statements wait at this gate.
   * @param done how many need not be waited for any more
   * @throws Error when they do not come
   */
  async arrived(count: number, done = () => 0): Promise<void> {
    const sinceMs = performance.now();
    while ((await this.countWaiting()) + done() < count) {
      if (performance.now() - sinceMs > arrivalMostMs) throw new Error(`${count} were to wait at the gate`);
      await pause(2);
    }
  }

  /**
   * Does one thing after another while the gate is closed, each when the one before waits or needed not to wait; then
   * opens the gate.
   * @returns what came of each
   */
  async inLine<T>(lock: Lock, ...acts: readonly (() => Promise<T>)[]): Promise<T[]> {
    let done = 0;
    const begun: Promise<T>[] = [];
    await this.close(lock);
    try {
      for (const act of acts) {
        begun.push(act().finally(() => (done += 1)));
        await this.arrived(begun.length, () => done);
      }
    } finally {
      await this.open();
      await Promise.allSettled(begun);
    }
    return Promise.all(begun);
  }

  private async countWaiting(): Promise<number> {
    const { rows } = await this.observer.query<{ waiting: number }>(behind, [this.holderPid]);
    return rows[0]?.waiting ?? 0;
  }
}
