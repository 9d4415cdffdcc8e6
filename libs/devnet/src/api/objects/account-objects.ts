import { type Account } from '../../state/account';
import { hbd, hive, vests } from '../../state/assets';
import { type ChainState } from '../../state/state';
import { secondsOf, neverHappened } from '../../time';
import { firstOf } from '../list-limit';

/** The named accounts that exist, in the order of the request. */
export function findAccounts(state: ChainState, names: readonly string[]): Account[] {
  return names.map((name) => state.findAccount(name)).filter((account) => account !== undefined);
}

/** Accounts by name, from the first that is not before `start`. */
export function accountsFrom(state: ChainState, start: string, limit: number): Account[] {
  return firstOf(state.accountsFrom(start), limit);
}

/**
 * The fields that database_api and condenser_api share; amounts are `Asset`s. Fields that the devnet does not implement
 * have the values of a new account.
 */
function accountObject(account: Account): object {
  const { postCount, lastPost, lastRootPost, lastVote } = account.activity;
  const mana = { current_mana: String(account.vests.units), last_update_time: secondsOf(account.created) };
  return {
    id: account.id,
    name: account.name,
    owner: account.owner,
    active: account.active,
    posting: account.posting,
    memo_key: account.memoKey,
    json_metadata: account.jsonMetadata,
    posting_json_metadata: account.postingJsonMetadata,
    proxy: '',
    previous_owner_update: account.previousOwnerUpdate,
    last_owner_update: account.lastOwnerUpdate,
    last_account_update: account.lastAccountUpdate,
    created: account.created,
    mined: false,
    recovery_account: account.recoveryAccount,
    last_account_recovery: neverHappened,
    reset_account: 'null',
    comment_count: 0,
    lifetime_vote_count: 0,
    post_count: postCount,
    can_vote: true,
    voting_manabar: mana,
    downvote_manabar: mana,
    balance: account.hive,
    savings_balance: hive(0),
    hbd_balance: account.hbd,
    hbd_seconds: '0',
    hbd_seconds_last_update: neverHappened,
    hbd_last_interest_payment: neverHappened,
    savings_hbd_balance: hbd(0),
    savings_hbd_seconds: '0',
    savings_hbd_seconds_last_update: neverHappened,
    savings_hbd_last_interest_payment: neverHappened,
    savings_withdraw_requests: 0,
    reward_hbd_balance: hbd(0),
    reward_hive_balance: hive(0),
    reward_vesting_balance: vests(0),
    reward_vesting_hive: hive(0),
    vesting_shares: account.vests,
    delegated_vesting_shares: account.delegatedVests,
    received_vesting_shares: account.receivedVests,
    vesting_withdraw_rate: vests(0),
    post_voting_power: account.vests.minus(account.delegatedVests).plus(account.receivedVests),
    next_vesting_withdrawal: '1969-12-31T23:59:59',
    withdrawn: 0,
    to_withdraw: 0,
    withdraw_routes: 0,
    pending_transfers: 0,
    curation_rewards: 0,
    posting_rewards: 0,
    proxied_vsf_votes: [0, 0, 0, 0],
    witnesses_voted_for: 0,
    last_post: lastPost,
    last_root_post: lastRootPost,
    last_post_edit: lastPost,
    last_vote_time: lastVote,
    post_bandwidth: 0,
    pending_claimed_accounts: 0,
    open_recurrent_transfers: 0,
    governance_vote_expiration_ts: neverHappened,
  };
}

/** Fields of database_api only. */
export function appbaseAccountObject(account: Account): object {
  return { ...accountObject(account), is_smt: false, delayed_votes: [] };
}

/** Fields of condenser_api only. */
export function legacyAccountObject(account: Account): object {
  return {
    ...accountObject(account),
    vesting_balance: hive(0),
    voting_power: 0,
    reputation: account.reputation ?? 0n,
    transfer_history: [],
    market_history: [],
    post_history: [],
    vote_history: [],
    other_history: [],
    witness_votes: [],
    tags_usage: [],
    guest_bloggers: [],
    delayed_votes: [],
  };
}
