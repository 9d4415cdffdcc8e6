/**
 * Returns the median: for an even number of values, the mean of the two in the middle. @throws RangeError if `values`
 * is empty
 */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [lower, upper] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (lower === undefined || upper === undefined) throw new RangeError('a median needs at least one value');
  return (lower + upper) / 2;
}

/**
 * Returns the smallest value such that at least `share` (0 to 1) of the values are not above it.
 *
 * @throws RangeError if `values` is empty
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)];
  if (value === undefined) throw new RangeError('a percentile needs at least one value');
  return value;
}
