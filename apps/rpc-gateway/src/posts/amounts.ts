/** What stands for HBD in the newer format of amounts. */
const hbdNai = '@@000000013';

/** Formats thousandths of HBD: `1.234 HBD`. */
export function hbdText(thousandths: bigint): string {
  return `${decimalOf(thousandths)} HBD`;
}

/** Formats thousandths of HBD as `database_api` does. */
export function hbdObject(thousandths: bigint): { amount: string; precision: 3; nai: string } {
  return { amount: String(thousandths), precision: 3, nai: hbdNai };
}

/** Formats thousandths of HBD without the symbol: `1.234`. */
function decimalOf(thousandths: bigint): string {
  const sign = thousandths < 0n ? '-' : '';
  const digits = String(thousandths < 0n ? -thousandths : thousandths).padStart(4, '0');
  return `${sign}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}
