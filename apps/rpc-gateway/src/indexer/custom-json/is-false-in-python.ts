/** Whether the network's gateways, which are written in Python, treat a JSON value as missing. */
export function isFalseInPython(value: unknown): boolean {
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}
