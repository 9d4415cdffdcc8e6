import { columnTypes, Statement } from '@waggle/service';
import { Entity, PrimaryColumn } from 'typeorm';

/** Edits whose messages are to be indexed again. */
@Entity('search_edit')
export class SearchEditEntity {
  @PrimaryColumn('text') conversationId!: string;
  @PrimaryColumn('bigint') seq!: bigint;

  /** The revision that the edit made. With it each edit has a row of its own, and none is lost while rows are read. */
  @PrimaryColumn('int') revision!: number;
}

export const searchEditTable = columnTypes(SearchEditEntity);

/** Queues a message to be indexed again, within the transaction that edits it. */
export const queueReindex = new Statement({
  name: 'index-again',
  text: 'INSERT INTO search_edit (conversation_id, seq, revision) VALUES ($1, $2, $3)',
  parameters: {
    conversationId: searchEditTable.conversationId,
    seq: searchEditTable.seq,
    revision: searchEditTable.revision,
  },
  columns: {},
});
