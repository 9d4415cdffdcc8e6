import { Column, Entity, PrimaryColumn } from 'typeorm';
import { columnTypes, entityColumns, tableName } from './entity-columns';
import * as sql from './sql-types';
import { type RowOf, type ValuesOf } from './statement';

interface Item {
  kind: string;
}

@Entity('room')
class RoomEntity {
  @PrimaryColumn('text') id!: string;
  @Column('bigint') lastSeq!: bigint;
  @Column('text', { nullable: true }) name!: string | null;
  @Column('bytea', { nullable: true }) picture!: Buffer | null;
  @Column('boolean') isOpen!: boolean;
  @Column({ type: 'timestamptz', precision: 3, name: 'at' }) createdAt!: Date;
  @Column('bigint', { array: true }) seqs!: bigint[];
  @Column('jsonb') items!: readonly Item[];
}

const room = columnTypes(RoomEntity);
const named = { name: sql.notNull(room.name) };

it('has the type and nullability of each column', () => {
  expect(room).toEqual({
    id: sql.text,
    lastSeq: sql.int8,
    name: sql.nullable(sql.text),
    picture: sql.nullable(sql.bytea),
    isOpen: sql.bool,
    createdAt: sql.timestamptz,
    seqs: sql.arrayOf(sql.int8),
    items: sql.jsonb(),
  });
});

it('has the types of the values', () => {
  // Compiled, not executed.
  const check = (row: RowOf<typeof room>): ValuesOf<typeof room> => {
    const items: readonly Item[] = row.items;
    const values: ValuesOf<typeof room> = {
      id: row.id,
      lastSeq: row.lastSeq,
      name: null,
      picture: new Uint8Array(),
      isOpen: row.isOpen,
      createdAt: row.createdAt,
      seqs: [1, 2n, row.lastSeq],
      items: JSON.stringify(items),
    };
    // @ts-expect-error -- an int8 is text
    const seq: bigint = row.lastSeq;
    // @ts-expect-error -- a name may be null
    const name: string = row.name;
    // @ts-expect-error -- an id is never null
    const id: ValuesOf<typeof room>['id'] = null;
    // @ts-expect-error -- `notNull` removes null
    const present: ValuesOf<typeof named> = { name: null };
    return { ...values, id: JSON.stringify([seq, name, id, present]) };
  };
  expect(check).toBeInstanceOf(Function);
});

it('reads the names of the table and its columns, and which are the key', () => {
  expect(tableName(RoomEntity)).toBe('room');
  const names = entityColumns(RoomEntity).map(({ name, isKey }) => (isKey ? `${name} (key)` : name));
  expect(names).toEqual(['id (key)', 'last_seq', 'name', 'picture', 'is_open', 'at', 'seqs', 'items']);
});

it('rejects a type that statements do not know, and a class without a table', () => {
  @Entity('odd')
  class OddEntity {
    @Column('citext') name!: string;
  }
  class Plain {
    readonly id = 1;
  }
  expect(() => columnTypes(OddEntity)).toThrow('OddEntity.name has the unknown type citext');
  expect(() => tableName(Plain)).toThrow('Plain has no table');
});
