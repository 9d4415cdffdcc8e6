import { markdownTable, textTable } from './table';

const rows = [
  ['figure', 'ratio', ''],
  ['direct messages', '4.00', 'pass'],
  ['group', '12.50', ''],
];

it('aligns the columns of a Markdown table', () => {
  expect(markdownTable(rows)).toEqual([
    '| figure          | ratio |      |',
    '| --------------- | ----- | ---- |',
    '| direct messages | 4.00  | pass |',
    '| group           | 12.50 |      |',
  ]);
});

it('aligns the columns of a table for a terminal', () => {
  expect(textTable(rows, (column) => column === 1).split('\n')).toEqual([
    'figure           ratio',
    'direct messages   4.00  pass',
    'group            12.50',
  ]);
});
