import { until } from '@waggle/testing';
import { Client } from 'pg';
import { executionJson, type Execution } from './plan';

/** How the server plans: for the values of each execution, or once for all values, as for prepared statements. */
export const planModes = ['custom', 'generic'] as const;
export type PlanMode = (typeof planModes)[number];

/** `auto_explain` is part of PostgreSQL; it says how a statement was executed to the connection that has executed it. */
const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

/** The connection string of the same database, with which each statement says how it was executed. */
export function explainingUrl(url: string, mode: PlanMode): string {
  const explaining = new URL(url);
  const options = { ...settings, plan_cache_mode: `force_${mode}_plan` };
  const text = Object.entries(options).map(([name, value]) => `-c ${name}=${value}`);
  explaining.searchParams.set('options', text.join(' '));
  return explaining.toString();
}

/** What all clients of PostgreSQL have in common, as far as it is changed here. */
interface Connecting {
  connect: (this: Client, done?: (error?: unknown) => void) => unknown;
}
const clients: Connecting = Client.prototype;

/**
 * Opens every table and index. Whoever executes the first statement over a connection reads in the catalog what these
 * are, which counts as pages of that statement: 117 of an insertion of one row, 30 after this, and 8 from then on.
 */
const readCatalog = `SELECT sum(pg_relation_size(oid)) FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'i')`;

/** Hears how statements were executed over all connections that are opened after it: those that have an `explainingUrl`. */
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

  /** The statements executed since the last call. */
  take(): Execution[] {
    return this.executions.splice(0);
  }

  /** Resolves when for each of the texts a statement was executed that has it in it. @throws Error when one is not */
  async received(texts: readonly string[]): Promise<void> {
    for (const each of texts) {
      await until(() => this.executions.some(({ text }) => text.includes(each)), {
        instead: () => `nothing with ${each}`,
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
