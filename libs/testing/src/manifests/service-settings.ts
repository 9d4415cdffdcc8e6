/** What a secret may hold, by the variable that it is for: as its address would look in a cluster. */
const secretStandIns: Record<string, string> = {
  DATABASE_URL: 'postgres://service:secret@postgres:5432/service',
  REDIS_URL: 'redis://:secret@redis:6379',
};

/** @throws Error for a variable that is no secret of any service */
export function secretStandIn(key: string): string {
  const found = secretStandIns[key];
  if (found === undefined) throw new Error(`${key} is not known as a secret of a service`);
  return found;
}

/**
 * Variables that a role is given in vain: its schema has none of that name, and it is none of those that the SDK of OpenTelemetry
 * reads by itself.
 */
export function unknownSettings(environment: object, schema: { shape: object }): string[] {
  return Object.keys(environment).filter(
    (name) => !(name in schema.shape) && !/^OTEL_(?!EXPORTER_OTLP_ENDPOINT$)/.test(name),
  );
}
