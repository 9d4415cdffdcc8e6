/** `LONG=true npx jest`: longer bursts and whole histories. */
export const isLongForm = process.env['LONG'] === 'true';
