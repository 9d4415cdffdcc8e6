/**
 * Merges repeated slashes in the path of a request target, as reverse proxies do when they match locations. The query,
 * and a target that is an absolute URL, are unchanged.
 */
export function withoutRepeatedSlashes(target: string): string {
  const [path = ''] = target.split('?', 1);
  return path.startsWith('/') ? path.replace(/\/{2,}/g, '/') + target.slice(path.length) : target;
}
