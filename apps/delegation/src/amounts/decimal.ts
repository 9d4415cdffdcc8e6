/** Decimals of VESTS on the chain; amounts are stored as whole millionths. */
const decimals = 6;

/**
 * Millionths as an exact decimal in its shortest form, which is a JSON number: `2500500000` is `2500.5`, `0` is `0`. It goes
 * by text: above 2^53 a number would lose its last digits.
 *
 * @param millionths digits without a sign, as PostgreSQL writes a bigint
 */
export function decimalOf(millionths: string): string {
  const digits = millionths.padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === zero) end -= 1;
  const whole = digits.slice(0, point);
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`;
}

const zero = 48;
