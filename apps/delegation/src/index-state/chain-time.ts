/** Time as Hive writes it: UTC to the second, without a zone, such as `2026-01-31T12:00:00`. */
export function chainTimeOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 19);
}
