import { setTimeout as pause } from 'node:timers/promises';
import { type TestDatabase } from '@waggle/testing';
import { Client } from 'pg';

/** Prevents hanging: the chat itself gives up waiting for a lock after two seconds. */
const maxWaitMs = 30_000;

/** A statement that takes locks. */
export interface Lock {
  text: string;
  values?: string[];
}

/**
 * Counts the statements that wait for the backend $1, directly or indirectly. Others may wait for each other for a
 * moment.
 */
const countWaiting = `
  WITH RECURSIVE waiting AS MATERIALIZED (
    SELECT pid, pg_blocking_pids(pid) AS blockers FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
  ), queue (pid) AS (
    SELECT $1::int UNION SELECT waiting.pid FROM waiting JOIN queue ON queue.pid = ANY (waiting.blockers)
  )
  SELECT count(*)::int - 1 AS waiting FROM queue`;

/**
 * A lock in the database that the test holds, so that concurrent requests are sure to meet: they wait for the lock, and
 * continue when it is released.
 */
export class HeldLock {
  private constructor(
    private readonly holder: Client,
    private readonly holderPid: number,
    /** Not in a transaction, so that each query sees the current waits. */
    private readonly observer: Client,
  ) {}

  static async connect({ url }: TestDatabase): Promise<HeldLock> {
    const [holder, observer] = [new Client({ connectionString: url }), new Client({ connectionString: url })];
    await Promise.all([holder.connect(), observer.connect()]);
    const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const [{ pid }] = rows as [{ pid: number }];
    return new HeldLock(holder, pid, observer);
  }

  async disconnect(): Promise<void> {
    await Promise.all([this.holder.end(), this.observer.end()]);
  }

  async acquire(lock: Lock): Promise<void> {
    await this.holder.query('BEGIN');
    await this.holder.query(lock);
  }

  async release(): Promise<void> {
    await this.holder.query('COMMIT');
  }

  /** Returns the number of statements that wait for the lock. */
  async waiting(): Promise<number> {
    const { rows } = await this.observer.query<{ waiting: number }>(countWaiting, [this.holderPid]);
    return rows[0]?.waiting ?? 0;
  }

  /**
   * Resolves when a number of statements wait for the lock.
   * @param done returns how many have finished and are not waited for
   * @throws Error on a timeout
   */
  async waitForWaiting(count: number, done = () => 0): Promise<void> {
    const sinceMs = performance.now();
    while ((await this.waiting()) + done() < count) {
      if (performance.now() - sinceMs > maxWaitMs) throw new Error(`${count} statements should wait for the lock`);
      await pause(2);
    }
  }

  /**
   * Starts actions one after another while the lock is held, each when the previous one waits or is done; then releases
   * the lock.
   * @returns their results
   */
  async runInOrder<T>(lock: Lock, ...acts: readonly (() => Promise<T>)[]): Promise<T[]> {
    let done = 0;
    const running: Promise<T>[] = [];
    await this.acquire(lock);
    try {
      for (const act of acts) {
        running.push(act().finally(() => (done += 1)));
        await this.waitForWaiting(running.length, () => done);
      }
    } finally {
      await this.release();
      await Promise.allSettled(running);
    }
    return Promise.all(running);
  }
}
