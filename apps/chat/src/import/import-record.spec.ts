import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ImportRecord, maxLineMebibytes, readJsonLines } from './import-record';

describe('the lines of an export', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'waggle-lines-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Returns the text of each line as what is ignored, with its number, and the problems. */
  const read = async (content: string) => {
    const file = path.join(folder, 'export.jsonl');
    writeFileSync(file, content);
    const records: ImportRecord[] = [];
    for await (const record of readJsonLines(file, (value) => [{ type: 'ignored', what: String(value) }]))
      records.push(record);
    return records.map(({ place, ...record }) => {
      const text = record.type === 'ignored' ? record.what : record.type === 'problem' ? record.reason : record.type;
      return [Number(place.slice(file.length + 1)), text];
    });
  };

  it('end with LF or CRLF, and may contain other separators', async () => {
    const separators = 'a\u2028b\u2029ü🐝';
    expect(await read(`1\r\n\r\n"${separators}"\n\n2`)).toEqual([
      [1, '1'],
      [3, separators],
      [5, '2'],
    ]);
    expect(await read('')).toEqual([]);
    // Longer than a chunk of the file, with characters of several bytes at its end.
    const long = `${'x'.repeat(65_534)}ü${'🐝'.repeat(50_000)}`;
    expect(await read(`"${long}"\n3\n`)).toEqual([
      [1, long],
      [2, '3'],
    ]);
  });

  it('are skipped above the limit', async () => {
    const most = 'x'.repeat(maxLineMebibytes * 1_048_576 - 2);
    const tooLong = `"${most}x"`;
    expect(await read(`1\n${tooLong}\n2\n${tooLong}`)).toEqual([
      [1, '1'],
      [2, 'the line is longer than 16 MiB'],
      [3, '2'],
      [4, 'the line is longer than 16 MiB'],
    ]);
    expect(await read(`"${most}"\n`)).toEqual([[1, most]]);
  });
});
