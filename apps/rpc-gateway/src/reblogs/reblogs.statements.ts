import { Statement } from '@waggle/service';
import { accountTable } from '../accounts/account.entity';
import { blogEntryTable } from './blog-entry.entity';

/** `$1` id of a post; `$2` id of its author, who is excluded. Rows: names of the accounts that reblogged it. */
export const rebloggers = new Statement({
  name: 'rebloggers',
  text: `
    SELECT a.name FROM blog_entry r JOIN account a ON a.id = r.account_id
    WHERE r.post_id = $1 AND r.is_reblog AND r.account_id <> $2 ORDER BY a.name`,
  parameters: { postId: blogEntryTable.postId, authorId: blogEntryTable.accountId },
  columns: { name: accountTable.name },
});
