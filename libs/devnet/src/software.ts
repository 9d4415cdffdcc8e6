import { type Serialization } from './dialect';

/** How the software of a node answers, as far as versions differ. */
export interface NodeSoftware {
  /** `blockchain_version` of `get_version`. */
  readonly version: string;
  /** What serves account_history_api: hived itself or, on most public nodes, HAfAH (openhive-network/HAfAH). */
  readonly accountHistory: 'hived' | 'hafah';
  /**
   * Whether lists of delegations are in the order of account ids, and begin at accounts that exist. Before 1.26 they
   * are in the order of names, and begin at any text.
   */
  readonly hasDelegationsById: boolean;
  /**
   * Whether `enum_virtual_ops` leaves out the last irreversible block if reversible ones are included, as hived before
   * 1.26 does.
   */
  readonly omitsLastIrreversible: boolean;
  /**
   * Which forms of a transaction may be signed, in the order they are tried. Before 1.26 only the legacy one
   * (chain_plugin.cpp).
   */
  readonly serializations: readonly [Serialization, ...Serialization[]];
  /**
   * Whether errors have the condition of an assertion in `extension`, and its hash. Before, the condition is part of
   * the format (fc's exception.hpp; a node of November 2025).
   */
  readonly hasAssertionExtension: boolean;
  /** Whether resource credits can be delegated, and pools have a `fill_level`: since 1.26 (rc_api.hpp). */
  readonly hasRcDelegations: boolean;
  /**
   * Whether the status and the confirmation of a transaction have `rc_cost`: since 1.28
   * (transaction_status_api_args.hpp).
   */
  readonly hasRcCost: boolean;
}

const hived: NodeSoftware = {
  version: '1.28.6',
  accountHistory: 'hived',
  hasDelegationsById: true,
  omitsLastIrreversible: false,
  serializations: ['hf26', 'legacy'],
  hasAssertionExtension: true,
  hasRcDelegations: true,
  hasRcCost: true,
};

/** Kinds of node software. */
export const softwareNames = ['hived', 'haf', 'hived-1.25'] as const;

export type SoftwareName = (typeof softwareNames)[number];

export const nodeSoftware = {
  hived,
  /** A node of haf_api_node. */
  haf: { ...hived, accountHistory: 'hafah' },
  'hived-1.25': {
    ...hived,
    version: '1.25.0',
    hasDelegationsById: false,
    omitsLastIrreversible: true,
    serializations: ['legacy'],
    hasAssertionExtension: false,
    hasRcDelegations: false,
    hasRcCost: false,
  },
} satisfies Record<SoftwareName, NodeSoftware>;
