/**
 * Variables that a role is given in vain: its schema has none of that name, and it is none of those that the SDK of OpenTelemetry
 * reads by itself.
 */
export function unknownSettings(environment: object, schema: { shape: object }): string[] {
  return Object.keys(environment).filter(
    (name) => !(name in schema.shape) && !/^OTEL_(?!EXPORTER_OTLP_ENDPOINT$)/.test(name),
  );
}
