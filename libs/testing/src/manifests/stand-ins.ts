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
