import { getBlockRange, type HiveApi } from '@waggle/chain';
import { type Logger } from '@waggle/service';

/** An account of a development chain, whose posting key everyone may know. */
export interface DevnetAccount {
  name: string;
  /** The posting key, in wallet import format. */
  posting: string;
}

/** Hive's first block. The chain id proves nothing: a development chain has Hive's, so that wallets can sign for it. */
const firstBlockOfHive = '0000000109833ce528d5bbfb3f6225b39ee10086';

/**
 * Accounts that the web client offers for sign-in by one click, and only while a Hive node shows that the chain is not
 * Hive: a setting left over in production exposes nothing.
 */
export class DevnetAccounts {
  private isDevnet: Promise<boolean> | undefined;

  constructor(
    private readonly accounts: readonly DevnetAccount[],
    private readonly hive: HiveApi,
    private readonly logger: Logger,
  ) {}

  /** The accounts; undefined if the chain is Hive, or no node says which chain it is. */
  async find(): Promise<readonly DevnetAccount[] | undefined> {
    if (this.accounts.length === 0) return undefined;
    this.isDevnet ??= this.checkChain();
    return (await this.isDevnet) ? this.accounts : undefined;
  }

  private async checkChain(): Promise<boolean> {
    try {
      const [first] = await getBlockRange(this.hive, 1, 1);
      if (first?.id === firstBlockOfHive) this.logger.error('DEVNET_ACCOUNTS is ignored: the Hive nodes serve Hive');
      return first !== undefined && first.id !== firstBlockOfHive;
    } catch (err) {
      this.logger.warn({ err }, 'no Hive node says which chain it serves, so DEVNET_ACCOUNTS is ignored for now');
      this.isDevnet = undefined; // The next request tries again.
      return false;
    }
  }
}
