import { z } from 'zod';

/**
 * The chain's rule for account names: 3 to 16 characters; segments divided by dots, each of at least 3 characters,
 * starting with a letter and ending with a letter or digit, of lower-case letters, digits and hyphens.
 *
 * Source: `is_valid_account_name` of hived.
 */
const rule = /^(?=.{3,16}$)[a-z](?:[a-z0-9-]+)[a-z0-9](?:\.[a-z](?:[a-z0-9-]+)[a-z0-9])*$/;

/** The fault of a text that cannot be the name of an account: answered as an account that is not there. */
export const notAnAccountName = 'not an account name';

/** Name of a Hive account, such as `alice`. Compiled: with each message it is looked at whether its addressee is one. */
export const accountName = z.compile(
  z.string().regex(rule, notAnAccountName).meta({ description: 'Name of a Hive account' }),
);
