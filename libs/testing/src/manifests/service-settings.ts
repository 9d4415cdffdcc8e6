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

/** Finds variables that a role does not read: neither its schema nor the OpenTelemetry SDK has them. */
export function unknownSettings(environment: object, schema: { shape: object }): string[] {
  return Object.keys(environment).filter(
    (name) => !(name in schema.shape) && !/^OTEL_(?!EXPORTER_OTLP_ENDPOINT$)/.test(name),
  );
}
