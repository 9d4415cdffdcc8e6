import { entityColumns, tableName } from '@waggle/service';
import { getMetadataArgsStorage } from 'typeorm';
import { chainEntities } from '../chain-entities';

const numericTypes = ['smallint', 'int', 'bigint'];

it.each(chainEntities.map((entity) => ({ table: tableName(entity), entity })))(
  'orders $table by numbers or bytes alone, whatever the collation of the database',
  ({ entity }) => {
    const byBytes = getMetadataArgsStorage()
      .filterColumns(entity)
      .filter(({ options }) => options.collation === 'C')
      .map(({ propertyName }) => propertyName);
    const keys = entityColumns(entity).filter(({ isKey }) => isKey);
    expect(keys).not.toEqual([]);
    expect(keys.filter(({ type, property }) => !numericTypes.includes(type) && !byBytes.includes(property))).toEqual(
      [],
    );
  },
);
