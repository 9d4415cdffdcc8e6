/** Returns the median; of an even number of values, the mean of the two in the middle. @throws RangeError if there are none */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) throw new RangeError('the median of no values');
  return (low + high) / 2;
}

/** Returns the smallest value that is not below `share` (0 to 1) of all values. @throws RangeError if there are none */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)];
  if (value === undefined) throw new RangeError('a percentile of no values');
  return value;
}
