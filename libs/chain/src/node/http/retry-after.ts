/**
 * Parses the header `Retry-After`, in seconds or as a date, to milliseconds from now; undefined if it is missing or
 * invalid.
 */
export function retryAfterMs(header: string | readonly string[] | undefined, now = Date.now()): number | undefined {
  const text = typeof header === 'string' ? header.trim() : '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
