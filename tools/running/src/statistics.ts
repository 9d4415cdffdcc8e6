/** The middle one; of an even number the mean of the two in the middle. @throws RangeError of none */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) throw new RangeError('the median of no values');
  return (low + high) / 2;
}

/** The smallest value that is not below the given share (0 to 1) of all. @throws RangeError of none */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)];
  if (value === undefined) throw new RangeError('a percentile of no values');
  return value;
}
