import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../..');

/** The variables of `apps/<app>/.env.example`. */
export interface ExampleSettings {
  /** All names, sorted, including repeated ones. */
  names: string[];
  /** Required settings. */
  set: Record<string, string>;
  /** Defaults, in comments. */
  commentedOut: Record<string, string>;
}

export function exampleSettings(app: string): ExampleSettings {
  const text = readFileSync(path.join(root, 'apps', app, '.env.example'), 'utf8');
  const linesOf = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name = '', value = '']) => [name, value] as const);
  const set = linesOf(/^([A-Z][A-Z_]+)=(.*)$/gm);
  const commentedOut = linesOf(/^# ([A-Z][A-Z_]+)=(.*)$/gm);
  return {
    names: [...set, ...commentedOut].map(([name]) => name).sort(),
    set: Object.fromEntries(set),
    commentedOut: Object.fromEntries(commentedOut),
  };
}

/** Example values of secrets by variable, as in a cluster. */
const secretStandIns: Record<string, string> = {
  DATABASE_URL: 'postgres://service:secret@postgres:5432/service',
  REDIS_URL: 'redis://:secret@redis:6379',
};

/** @throws Error for a variable that is not a secret of a service */
export function secretStandIn(key: string): string {
  const found = secretStandIns[key];
  if (found === undefined) throw new Error(`${key} is not known as a secret of a service`);
  return found;
}

/** Finds variables that a process does not read: neither its schema nor the OpenTelemetry SDK has them. */
export function unknownSettings(environment: object, schema: { shape: object }): string[] {
  return Object.keys(environment).filter(
    (name) => !(name in schema.shape) && !/^OTEL_(?!EXPORTER_OTLP_ENDPOINT$)/.test(name),
  );
}
