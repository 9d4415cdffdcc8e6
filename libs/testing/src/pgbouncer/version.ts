/** Whether a version such as "1.24.1-1" is 1.21 or newer, which supports prepared statements in transaction mode. */
export function hasPreparedStatements(version = '0.0'): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major > 1 || (major === 1 && minor >= 21);
}
