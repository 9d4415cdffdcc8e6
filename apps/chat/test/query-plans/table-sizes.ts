import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';

const file = path.join(__dirname, '../../../../docs/chat-storage.md');

/** Estimated rows of each table for a billion messages. */
const rowsAtBillion: Record<string, number> = { message: 1e9, conversation: 50e6, member: 110e6 };

interface SizeRow {
  table_name: string;
  name: string;
  bytes_per_row: number;
}

/**
 * Writes the sizes of tables and indexes with a billion messages into the document, from the bytes per row in the
 * filled database. Table sizes count the rows only, since low fill factors leave free space. Indexes below half a
 * gigabyte are omitted.
 */
export async function writeSizes(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const lines: string[] = [];
    for (const [table, rows] of Object.entries(rowsAtBillion)) {
      const { rows: sizes } = await client.query<SizeRow>(sizesOf(table));
      const large = sizes.filter(({ bytes_per_row }) => bytes_per_row * rows >= 0.5e9);
      lines.push(...large.map(({ name, bytes_per_row }) => lineOf(name, bytes_per_row, rows)));
    }
    const table = ['| | bytes a row | with a billion messages |', '| --- | ---: | ---: |', ...lines].join('\n');
    const section = /(?<=<!-- sizes -->\n\n)[^]*(?=\n\n<!-- end of sizes -->)/;
    const document = readFileSync(file, 'utf8');
    if (!section.test(document)) throw new Error(`${file} has no section for the sizes`);
    writeFileSync(
      file,
      document.replace(section, () => table),
    );
  } finally {
    await client.end();
  }
}

/**
 * Sums up the indexes of the partitions, whose names end in their columns. Each row has a pointer of 4 bytes in its
 * page.
 */
function sizesOf(table: string): string {
  return `
    WITH parts AS (SELECT relid AS id FROM pg_partition_tree('${table}') WHERE isleaf UNION SELECT '${table}'::regclass WHERE '${table}' <> 'message'),
         amount AS (SELECT count(*) AS rows, avg(pg_column_size(t.*)) + 4 AS bytes FROM ${table} t)
    SELECT '${table}' AS name, bytes::float8 AS bytes_per_row FROM amount
    UNION ALL
    (SELECT regexp_replace(i.indexrelid::regclass::text, '^message_[0-9]+_', 'message: '), sum(pg_relation_size(i.indexrelid)) / max(rows)::float8
     FROM pg_index i JOIN parts ON parts.id = i.indrelid, amount GROUP BY 1 ORDER BY 1)`;
}

function lineOf(name: string, bytes: number, rows: number): string {
  return `| \`${name}\` | ${Math.round(bytes)} | ${Math.round((bytes * rows) / 1e9)} GB |`;
}
