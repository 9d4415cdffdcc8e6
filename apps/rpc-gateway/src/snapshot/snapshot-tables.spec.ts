import { entityColumns, tableName } from '@waggle/service';
import { chainEntities } from '../chain-entities';

const numericTypes = ['smallint', 'int', 'bigint'];

it.each(chainEntities.map((entity) => ({ table: tableName(entity), entity })))(
  'orders $table by numbers alone, whatever the collation',
  ({ entity }) => {
    const keyTypes = entityColumns(entity).flatMap(({ isKey, type }) => (isKey ? [type] : []));
    expect(keyTypes).not.toEqual([]);
    expect(keyTypes.filter((type) => !numericTypes.includes(type))).toEqual([]);
  },
);
