/**
 * The target of a request with each run of slashes in its path as one, as reverse proxies match it to their locations. The
 * query, and a target that is a whole URL, stay as they are.
 */
export function withoutRepeatedSlashes(target: string): string {
  const [path = ''] = target.split('?', 1);
  return path.startsWith('/') ? path.replace(/\/{2,}/g, '/') + target.slice(path.length) : target;
}
