import { ImportReport } from './import-report';

it('escapes control characters in names and reasons', () => {
  const report = new ImportReport();
  report.addProblem('line 1', 'unknown user \u001B[2J\r\nmallory');
  report.addUnmapped('\u202Eecila');
  const lines = report.toLines();
  expect(lines.at(-1)).toBe('line 1: unknown user \\u{1b}[2J\\u{d}\\u{a}mallory');
  expect(lines.find((line) => line.includes('ecila'))).toMatch(/^\\u\{202e\}ecila +1$/);
});
