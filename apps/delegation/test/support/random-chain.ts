import { type Devnet, devnetKeys, seedAccounts } from '@waggle/devnet';
import { type Random } from '@waggle/testing';

/** The smallest delegation, and the smallest change of one, on the devnet: 2,000 and 200 VESTS. */
const minVests = 2_000;
const stepVests = 500;

/**
 * Delegates at random between the accounts of a devnet, with one or more operations per block; the chain accepts all of
 * them.
 */
export class RandomChain {
  private readonly amounts = new Map<string, number>();
  private readonly accounts: string[] = [...seedAccounts];
  private created = 0;

  constructor(
    private readonly devnet: Devnet,
    private readonly random: Random,
  ) {}

  /** Produces this many blocks. */
  live(blocks: number): void {
    for (let made = 0; made < blocks; made += 1) {
      const operations = this.random.chance(0.3) ? 0 : 1 + this.random.below(3);
      for (let n = 0; n < operations; n += 1) this.operate();
      if (this.random.chance(0.02)) this.clear();
      // Sometimes days pass, so that pending returns complete.
      this.devnet.chain.produceBlock(this.random.chance(0.03) ? this.random.below(100_000) : 0);
    }
  }

  private operate() {
    const delegator = this.random.pick(seedAccounts);
    const { wif } = devnetKeys(delegator).active;
    if (this.random.chance(0.08)) {
      this.created += 1;
      const name = `new-${this.created}`;
      const delegation = this.random.chance(0.2) ? 0 : this.amount();
      const value = creation(delegator, name, delegation);
      if (!this.include('account_create_with_delegation', value, wif)) return;
      this.accounts.push(name);
      this.amounts.set(`${delegator} ${name}`, delegation);
      return;
    }
    const delegatee = this.random.pick(this.accounts.filter((each) => each !== delegator));
    const pair = `${delegator} ${delegatee}`;
    const before = this.amounts.get(pair) ?? 0;
    const wanted = this.random.chance(0.3) ? 0 : this.amount();
    // The chain rejects an operation that changes nothing.
    if (wanted === before) return;
    const value = { delegator, delegatee, vesting_shares: vests(wanted) };
    if (this.include('delegate_vesting_shares', value, wif)) this.amounts.set(pair, wanted);
  }

  /** @returns whether the chain accepts it: an account may have too little while returns are pending */
  private include(name: string, value: object, wif: string): boolean {
    try {
      this.devnet.chain.include([[name, value]], [wif]);
      return true;
    } catch (error) {
      if (!/enough vesting shares|balance/.test(String(error))) throw error;
      return false;
    }
  }

  /** The effect of hardfork 23; then the account gets new funds. */
  private clear() {
    const account = this.random.pick(seedAccounts);
    this.devnet.hardforkHive(account);
    for (const pair of this.amounts.keys()) if (pair.startsWith(`${account} `)) this.amounts.set(pair, 0);
    const gift = { from: 'initminer', to: account };
    this.devnet.include(
      [
        ['transfer_to_vesting', { ...gift, amount: '500.000 HIVE' }],
        ['transfer', { ...gift, amount: '1000.000 HIVE', memo: '' }],
      ],
      [devnetKeys('initminer').active.wif],
    );
  }

  private amount(): number {
    return minVests + stepVests * this.random.below(20);
  }
}

function vests(amount: number): string {
  return `${amount}.000000 VESTS`;
}

function creation(creator: string, name: string, delegation: number): object {
  const keys = devnetKeys(name);
  const authority = (publicKey: string) => ({ weight_threshold: 1, account_auths: [], key_auths: [[publicKey, 1]] });
  return {
    fee: '3.000 HIVE',
    delegation: vests(delegation),
    creator,
    new_account_name: name,
    owner: authority(keys.owner.publicKey),
    active: authority(keys.active.publicKey),
    posting: authority(keys.posting.publicKey),
    memo_key: keys.memo.publicKey,
    json_metadata: '',
    extensions: [],
  };
}
