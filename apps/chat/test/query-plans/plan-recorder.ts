import { until } from '@waggle/testing';
import { Client } from 'pg';
import { executionJson, type Execution } from './plan';

/** Plans for the values of each execution (custom), or once for all values, as for prepared statements (generic). */
export const planModes = ['custom', 'generic'] as const;
export type PlanMode = (typeof planModes)[number];

/** `auto_explain`, a module of PostgreSQL, sends the plan of each statement to the connection that executed it. */
const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

/** Returns a connection string for the same database whose connections report the plan of each statement. */
export function explainingUrl(url: string, mode: PlanMode): string {
  const explaining = new URL(url);
  const options = { ...settings, plan_cache_mode: `force_${mode}_plan` };
  const text = Object.entries(options).map(([name, value]) => `-c ${name}=${value}`);
  explaining.searchParams.set('options', text.join(' '));
  return explaining.toString();
}

/** The part of PostgreSQL clients that the recorder patches. */
interface Connecting {
  connect: (this: Client, done?: (error?: unknown) => void) => unknown;
}
const clients: Connecting = Client.prototype;

/**
 * Opens every table and index. The first statement of a connection reads them in the catalog, and these pages count for
 * that statement: 117 for an insertion of one row, 30 after this query, and 8 for later insertions.
 */
const readCatalog = `SELECT sum(pg_relation_size(oid)) FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'i')`;

/** Records the plans of all statements on connections that are opened later with an `explainingUrl`. */
export class PlanRecorder {
  private readonly executions: Execution[] = [];
  private readonly former = clients.connect;

  constructor() {
    const { former, listen } = this;
    clients.connect = function (done) {
      const connected = (async () => {
        await former.call(this);
        await this.query(readCatalog);
        this.on('notice', listen);
      })();
      if (done === undefined) return connected;
      connected.then(() => {
        done();
      }, done);
      return undefined;
    };
  }

  /** Returns the statements executed since the last call. */
  take(): Execution[] {
    return this.executions.splice(0);
  }

  /** Resolves when each of the texts is part of an executed statement. @throws Error on a timeout */
  async received(texts: readonly string[]): Promise<void> {
    for (const each of texts) {
      await until(() => this.executions.some(({ text }) => text.includes(each)), {
        actual: () => `nothing with ${each}`,
      });
    }
  }

  end(): void {
    clients.connect = this.former;
  }

  private readonly listen = ({ message = '' }: { message?: string | undefined }) => {
    const [, json] = /^duration: .*? plan:\n(.*)$/s.exec(message) ?? [];
    if (json === undefined) return;
    this.executions.push(executionJson.parse(JSON.parse(json)));
  };
}
