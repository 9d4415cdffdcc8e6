export {
  AccountAuthorities,
  type AccountAuthoritiesOptions,
  type Authorities,
  maxAccountsBytes,
  type Role,
} from './accounts/account-authorities';
export { AccountSignatures, type Verdict } from './accounts/account-signatures';
export { ExistingAccounts, type ExistingAccountsOptions } from './accounts/existing-accounts';
export { type KeyCheckResult, keyCheckPauseMs, KeyChecks, type KeyChecksOptions } from './accounts/key-checks';
export {
  type ProofVerdict,
  type ProofWindow,
  type SignedProof,
  SignedProofs,
  type UsedProofs,
} from './accounts/signed-proofs';
export { blockRangeMethod, blockRangeQuery, getBlockRange, type HiveBlock } from './api/block-api';
export {
  findAccounts,
  findAccountsMethod,
  getDynamicGlobalProperties,
  nodeVersion,
  versionMethod,
} from './api/database-api';
export { hiveTime } from './api/time';
export { BlockFollower } from './follower/block-follower';
export { catchUpProgress, type CatchUpProgress } from './follower/catch-up';
export { chainCheckpointTable, type ChainProperties } from './follower/writing/checkpoint';
export { confirmBlock, createCheckpoint, findCheckpoint } from './follower/writing/checkpoint-transfer';
export { FatalChainError, OperationError, OperationFormatError } from './follower/errors';
export { type FollowedBlock, type FollowedOperation } from './follower/followed-block';
export {
  errorPositionOf,
  onOperation,
  type OperationHandler,
  OperationHandlers,
  type OperationPosition,
} from './follower/operation-handlers';
export { type FollowerObserver, type ObservedStatus, type ObserveFollower } from './follower/follower-observer';
export {
  type BlockFollowerOptions,
  type FollowerDatabase,
  type FollowerRole,
  type FollowerStatus,
} from './follower/options';
export { tryFollowerLock } from './follower/writing/session';
export { HiveClientClosedError, HiveNodesUnavailableError, HiveRpcError } from './node/errors';
export { type HiveApi } from './api/hive-api';
export { type HiveNodes, type NodeResult } from './node/hive-nodes';
export { untrueIssue } from './api/untrue-result';
export { readKind } from './node/call-kind';
export { polledNodes, readHead, recordHeads } from './node/health/head-probe';
export { replyOfStatus } from './node/classify-reply';
export { recordForwardedCalls } from './node/record-reply';
export { HiveClient } from './node/hive-client';
export { type CallReport, HiveNode, isOtherServer, type NodeHead } from './node/hive-node';
export { type NodeCall, type PathRequest } from './node/node-call';
export { kindOfRpcError } from './node/kind-of-rpc-error';
export { type NodeChange, NodeHealth, type NodeState } from './node/health/node-health';
export { NodePool } from './node/node-pool';
export { failed, invalidResponse, type NodeReply, type ReadResponse } from './node/node-reply';
export { readPauses } from './node/health/circuit-breaker';
export { type HiveClientOptions, type NodeOutcome } from './node/options';
export { type CallOutcome } from './node/read-attempts';
export { checkNodes, type CheckOptions, type MethodReport, type NodeReport } from './node-check/check-nodes';
export { type CheckedNode } from './node-check/checked-node';
export { type FollowedOperations, followerProbes } from './node-check/follower-probes';
export { knownAccount, knownAccountFinding, loginProbes } from './node-check/login-probes';
export { differs, type Finding, notServed, type Probe, type ProbedMethod, unknown, works } from './node-check/probe';
