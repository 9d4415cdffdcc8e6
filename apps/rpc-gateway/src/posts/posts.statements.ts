import { sql, Statement } from '@waggle/service';

/** `$1` id of the author; `$2` permlink. At most one row, with the id. */
export const postByLink = new Statement({
  name: 'post-by-link',
  text: 'SELECT id FROM post WHERE author_id = $1 AND permlink = $2 AND NOT is_deleted',
  parameters: { authorId: sql.int4, permlink: sql.text },
  columns: { id: sql.int8 },
});
