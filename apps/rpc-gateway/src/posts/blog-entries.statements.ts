import { sql, Statement } from '@waggle/service';
import { accountTable } from '../accounts/account.entity';
import { blogEntryTable } from '../reblogs/blog-entry.entity';
import { postTable } from './post.entity';

/**
 * `$1` account; `$2` number of the first entry, or -1 for the newest; `$3` limit. Rows: entries of the blog, newest
 * first. They are numbered from 0, the oldest.
 */
export const blogEntries = new Statement({
  name: 'blog-entries',
  text: `
    WITH size AS (SELECT count(*) - 1 AS newest FROM blog_entry WHERE account_id = $1),
    wanted AS (SELECT newest, CASE WHEN $2 < 0 THEN newest ELSE $2 END AS number FROM size),
    -- The number that is wanted may be too high: then the page has fewer entries.
    bounds AS (SELECT newest, least(number, newest) AS top, greatest(0, number - $3 + 1) AS bottom FROM wanted),
    page AS (
      SELECT post_id, created FROM blog_entry WHERE account_id = $1 ORDER BY created DESC, post_id DESC
      OFFSET (SELECT newest - top FROM bounds) LIMIT (SELECT greatest(0, top - bottom + 1) FROM bounds)
    ),
    numbered AS (
      SELECT page.*, (SELECT top FROM bounds) + 1 - row_number() OVER (ORDER BY created DESC, post_id DESC) AS number
      FROM page
    )
    SELECT p.id, p.author_id AS "authorId", a.name AS author, p.permlink, e.created, e.number AS "entryId"
    FROM numbered e JOIN post p ON p.id = e.post_id JOIN account a ON a.id = p.author_id
    ORDER BY e.number DESC`,
  parameters: { accountId: blogEntryTable.accountId, from: sql.int4, limit: sql.int8 },
  columns: {
    id: postTable.id,
    authorId: postTable.authorId,
    author: accountTable.name,
    permlink: postTable.permlink,
    created: blogEntryTable.created,
    entryId: sql.notNull(sql.int8),
  },
});
