import { readFileSync } from 'node:fs';
import { accountName } from '@waggle/contracts';
import { ConfigurationError } from '@waggle/service';

/** Stands for every user that a mapping does not list. */
const everyOther = '*';

/** Which Hive accounts the users of another chat have. */
export class AccountMapping {
  private constructor(private readonly accounts: ReadonlyMap<string, string>) {}

  /**
   * Reads lines such as `bob.smith,bob`. Blank lines and lines that begin with # are comments.
   * @throws ConfigurationError with every invalid line
   */
  static read(file: string): AccountMapping {
    const accounts = new Map<string, string>();
    const errors: string[] = [];
    for (const [i, line] of textOf(file).split(/\r?\n/).entries()) {
      if (line.trim() === '' || line.startsWith('#')) continue;
      const [user = '', account = '', ...rest] = line.split(',').map((each) => each.trim());
      if (user === '' || rest.length > 0) errors.push(`${file}:${i + 1}: must be a user, a comma and a Hive account`);
      else if (!accountName.safeParse(account).success) errors.push(`${file}:${i + 1}: ${account} is no Hive account`);
      else if (accounts.has(user)) errors.push(`${file}:${i + 1}: ${user} is listed twice`);
      accounts.set(user, account);
    }
    if (errors.length > 0) throw new ConfigurationError(errors);
    return new AccountMapping(accounts);
  }

  /** Returns the account of a user, if the mapping lists it. */
  find(user: string): string | undefined {
    return user === everyOther ? undefined : this.accounts.get(user);
  }

  /** The account that stores the messages of users that the mapping does not list. */
  get fallback(): string | undefined {
    return this.accounts.get(everyOther);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigurationError([`${file}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
