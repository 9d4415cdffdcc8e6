/**
 * True with `LONG=true`. Tests then run in full: every case, larger data, longer bursts. Without it, `npm test` tests
 * the core of each feature, in at most ten minutes on two cores.
 */
export const isLong = process.env['LONG'] === 'true';

// Skipped in the short form.
export const longTest = isLong ? test : test.skip;
export const longDescribe = isLong ? describe : describe.skip;
