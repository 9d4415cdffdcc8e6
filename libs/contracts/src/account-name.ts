import { z } from 'zod';

/**
 * The chain's rule for account names: 3 to 16 characters in segments separated by dots. A segment has at least 3
 * characters: lower-case letters, digits and hyphens. It starts with a letter and ends with a letter or digit.
 *
 * Source: `is_valid_account_name` of hived.
 */
const rule = /^(?=.{3,16}$)[a-z](?:[a-z0-9-]+)[a-z0-9](?:\.[a-z](?:[a-z0-9-]+)[a-z0-9])*$/;

/**
 * The message of the issue for an invalid account name. The frames of the chat report it as `account-not-found`,
 * requests over HTTP as `invalid-request`.
 */
export const notAnAccountName = 'not an account name';

/** Name of a Hive account, such as `alice`. Compiled, since the recipient of every message is checked. */
export const accountName = z.compile(
  z.string().regex(rule, notAnAccountName).meta({ description: 'Name of a Hive account' }),
);
