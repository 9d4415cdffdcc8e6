import { type HttpConfig, type LogLevel } from '../configuration';
import { databaseDependency } from '../database/database-dependency';
import { type ErrorBody } from '../errors/rest-error-body';
import { type Dependency } from '../observability/awaited-dependency';
import { createLogger, type Logger } from '../observability/logging';
import { type Service } from '../platform/create-service';
import { runMain } from './run-main';
import { serve } from './serve';
import { waitForDependencies } from './wait-for-dependencies';

interface ProcessConfig {
  readonly http: HttpConfig;
  readonly logLevel: LogLevel;
  readonly database: { readonly url: string };
}

interface ServiceProcess<Config extends ProcessConfig, Created extends Service> {
  /** The name of the process in its logs; by default the name of the service. */
  readonly name?: string;
  readonly readConfig: (environment: Record<string, string | undefined>) => Config;
  readonly create: (config: Config, logger: Logger) => Promise<Created>;
  /** Servers, besides PostgreSQL, that it waits for. */
  readonly dependencies?: (config: Config) => readonly Dependency[];
  /** Creates the body of REST errors while it waits; by default the common one. */
  readonly errorBody?: ErrorBody;
  /** Whether it ignores `DRAIN_DELAY_SECONDS`. */
  readonly drainsAtOnce?: boolean;
  /** Called when it listens. */
  readonly onListening?: (config: Config, service: Created) => void;
}

/** Runs a process of a service: waits for its dependencies, creates it, and serves until SIGTERM. */
export function runService<Config extends ProcessConfig, Created extends Service>(
  service: string,
  {
    name = service,
    readConfig,
    create,
    dependencies,
    errorBody,
    drainsAtOnce = false,
    onListening,
  }: ServiceProcess<Config, Created>,
): void {
  runMain(async () => {
    const config = readConfig(process.env);
    const { host, port } = config.http;
    const drainDelayMs = drainsAtOnce ? 0 : config.http.drainDelayMs;
    const logger = createLogger(name, config.logLevel);
    const needed = [databaseDependency(service, config.database.url), ...(dependencies?.(config) ?? [])];
    await waitForDependencies(needed, { logger, host, port, ...(errorBody !== undefined && { errorBody }) });
    const created = await create(config, logger);
    await serve(created.app, { logger, readiness: created.readiness, host, port, drainDelayMs });
    onListening?.(config, created);
  });
}
