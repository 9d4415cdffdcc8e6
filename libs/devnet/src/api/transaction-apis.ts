import { type ChainView, findTransaction } from '../chain/chain-view';
import { readTransaction, verifySignatures } from '../chain/transaction';
import { type Serialization } from '../dialect';
import { invalidHex } from '../errors';
import { optional, textOf, timeOf } from '../fields';
import { blockIntervalSeconds, maxExpirationSeconds } from '../protocol';
import { type HiveTime, hiveTime, secondsOf } from '../time';
import { type Api, type ApiContext, named } from './api';

/** The blocks whose transactions hived knows (transaction_status_plugin.hpp), and an hour. */
const trackedSeconds = 64_000 * blockIntervalSeconds + 60 * 60;

export const transactionStatusApi: Api = {
  name: 'transaction_status_api',
  methods: {
    find_transaction({ view, software }, params) {
      const fields = named(params);
      const id = transactionIdOf(fields['transaction_id'] ?? '');
      const expiration = optional(fields['expiration'], timeOf);
      if (view.pendingTransactions.some((transaction) => transaction.id === id)) return { status: 'within_mempool' };
      const found = findTransaction(view, id);
      if (!found) return { status: expiration === undefined ? 'unknown' : statusOfUnknown(view, expiration) };
      const { number } = found.block;
      return {
        status: number <= view.lastIrreversible ? 'within_irreversible_block' : 'within_reversible_block',
        block_num: number,
        ...(software.hasRcCost && { rc_cost: 0 }),
      };
    },
  },
};

/**
 * Returns the status of an unknown transaction as hived's transaction_status_api.cpp does. The node behaves as if it
 * had tracked transactions since before the chain began: otherwise any would be too old on the first day, and clients
 * would stop waiting for it.
 */
function statusOfUnknown(view: ChainView, expiration: HiveTime): string {
  const now = view.head.timestamp;
  const irreversible = view.findBlock(view.lastIrreversible)?.timestamp;
  const earliest = secondsOf(now) - trackedSeconds;
  if (expiration < hiveTime(earliest + maxExpirationSeconds)) return 'too_old';
  if (irreversible !== undefined && expiration <= irreversible) return 'expired_irreversible';
  return expiration < now ? 'expired_reversible' : 'unknown';
}

/** Reads an id as fc does: a text that is too short is filled up with zeros. */
function transactionIdOf(value: unknown): string {
  const text = textOf(value).toLowerCase();
  const [wrong] = /[^0-9a-f]/.exec(text) ?? [];
  if (wrong !== undefined) throw invalidHex(wrong);
  return text.slice(0, 40).padEnd(40, '0');
}

export const networkBroadcastApi: Api = {
  name: 'network_broadcast_api',
  methods: {
    broadcast_transaction({ submit }, params) {
      submit(named(params)['trx']);
      return {};
    },
  },
};

/** verify_authority. @returns true @throws NodeError as a broadcast, if a signature is missing (database_api.cpp) */
export function verifyAuthority({ view }: ApiContext, transaction: unknown, serialization: Serialization): true {
  verifySignatures(readTransaction(transaction, view.chainId, serialization), view.state);
  return true;
}
