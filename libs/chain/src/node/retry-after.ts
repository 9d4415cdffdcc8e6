/** The header `Retry-After`, of seconds or a date, in milliseconds from now; undefined if there is none that can be read. */
export function retryAfterMs(header: string | readonly string[] | undefined, now = Date.now()): number | undefined {
  const text = typeof header === 'string' ? header.trim() : '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
