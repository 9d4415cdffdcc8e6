/** Series by name and labels, each with its values minute by minute as promtool writes them: `0+60x30` is 0, 60, 120 … */
export type Series = Readonly<Record<string, string>>;

/** What an alert fires on within half an hour, and what it stays quiet on: as near to the other as it may come. */
export interface Case {
  fires: Series;
  quiet: Series;
  /** Whether it fires where there is no series at all, as when nothing was ever deployed or Prometheus looks elsewhere. */
  firesOnNothing?: true;
}

/** Values of a counter that is raised by so many a minute. */
const perMinute = (count: number) => `0+${count}x60`;
const stays = (value: number) => `${value}x60`;

const requests = (job: string, status: string, route = '/somewhere') =>
  `http_request_duration_seconds_count{job="waggle-${job}", method="GET", route="${route}", status="${status}"}`;

const gone = (job: string): Case => ({
  fires: { [`up{job="waggle-${job}", instance="a"}`]: stays(0) },
  quiet: { [`up{job="waggle-${job}", instance="a"}`]: stays(0), [`up{job="waggle-${job}", instance="b"}`]: stays(1) },
  firesOnNothing: true,
});

/** A platform that asks in vain whether an instance is ready is no fault that users see. */
const faults = (job: string): Case => ({
  fires: { [requests(job, '200')]: perMinute(970), [requests(job, '503')]: perMinute(30) },
  quiet: {
    [requests(job, '200')]: perMinute(990),
    [requests(job, '500')]: perMinute(10),
    [requests(job, '404')]: perMinute(500),
    [requests(job, '503', '/health/ready')]: perMinute(500),
  },
});

/** Of a histogram's calls a minute so many take up to `fast` seconds and so many up to `slow`. */
function durations(metric: string, labels: string, [fast, slow]: [string, string], counts: [number, number]): Series {
  const bucket = (le: string, count: number) => ({ [`${metric}_bucket{${labels}, le="${le}"}`]: perMinute(count) });
  const all = counts[0] + counts[1];
  return { ...bucket(fast, counts[0]), ...bucket(slow, all), ...bucket('+Inf', all) };
}

const slow = (job: string): Case => {
  const of = (counts: [number, number]) =>
    durations('http_request_duration_seconds', `job="waggle-${job}", route="/somewhere"`, ['1', '5'], counts);
  return { fires: of([980, 20]), quiet: of([995, 5]) };
};

const hiveNodes = (job: string): Case => {
  const of = (outcome: string) => `hive_node_calls_total{job="waggle-${job}", node="n", outcome="${outcome}"}`;
  return {
    fires: { [of('result')]: perMinute(40), [of('timeout')]: perMinute(60) },
    quiet: { [of('result')]: perMinute(10), [of('refused')]: perMinute(50), [of('timeout')]: perMinute(40) },
  };
};

const nobodyIndexes = (follower: string): Case => {
  const role = (instance: string, name: string) =>
    `chain_follower_role{job="waggle-${follower}-indexer", follower="${follower}", instance="${instance}", role="${name}"}`;
  return {
    fires: { [role('a', 'standby')]: stays(1), [role('a', 'leader')]: stays(0) },
    // While the lock changes hands nobody has it for a moment.
    quiet: { [role('a', 'leader')]: '1x10 0x2 0x48', [role('b', 'leader')]: '0x12 1x48' },
    firesOnNothing: true,
  };
};

const indexLags = (follower: string): Case => {
  const lag = (instance: string) =>
    `chain_follower_lag_blocks{job="waggle-${follower}-indexer", follower="${follower}", instance="${instance}"}`;
  return { fires: { [lag('a')]: '0+20x60' }, quiet: { [lag('a')]: '0+20x60', [lag('b')]: stays(3) } };
};

const nodesContradict = (follower: string): Case => {
  const contradicted = (instance: string) =>
    `chain_follower_contradicted{job="waggle-${follower}-indexer", follower="${follower}", instance="${instance}"}`;
  // A contradiction that ends by itself is a node that was wrong for a moment.
  return { fires: { [contradicted('a')]: stays(1) }, quiet: { [contradicted('a')]: '0x10 1x3 0x47' } };
};

const indexAge = (instance: string) =>
  `chain_follower_lag_seconds{job="waggle-rpc-gateway-indexer", follower="rpc-gateway", instance="${instance}"}`;
const logins = (outcome: string) => `video_auth_logins_total{job="waggle-video-auth", outcome="${outcome}"}`;
const keyChecks = (answer: string) => `video_auth_key_checks_total{job="waggle-video-auth", answer="${answer}"}`;
const calls = (outcome: string) => `rpc_gateway_calls_total{job="waggle-rpc-gateway", route="r", outcome="${outcome}"}`;
const needMet = (need: string) => `rpc_gateway_index_need_met{job="waggle-rpc-gateway", instance="a", need="${need}"}`;
const usable = (instance: string, node: string) =>
  `rpc_gateway_upstream_usable{job="waggle-rpc-gateway", instance="${instance}", backend="hive", node="${node}"}`;
const durationOfCalls = (counts: [number, number]) =>
  durations('rpc_gateway_call_duration_seconds', 'job="waggle-rpc-gateway", route="r"', ['5', '10'], counts);

/** By service and alert. */
export const alertCases: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  chat: {
    ChatGone: gone('chat'),
    ChatFaults: faults('chat'),
    ChatSlow: slow('chat'),
    ChatHiveNodes: hiveNodes('chat'),
    ChatEventsLost: {
      fires: { 'chat_entries_filled_total{job="waggle-chat", instance="a"}': perMinute(70) },
      quiet: { 'chat_entries_filled_total{job="waggle-chat", instance="a"}': perMinute(50) },
    },
    ChatFrameFaults: {
      fires: { 'chat_frame_errors_total{job="waggle-chat", code="unavailable"}': perMinute(70) },
      quiet: { 'chat_frame_errors_total{job="waggle-chat", code="forbidden"}': perMinute(7_000) },
    },
  },
  delegation: {
    DelegationGone: gone('delegation'),
    DelegationFaults: faults('delegation'),
    DelegationSlow: slow('delegation'),
    DelegationAnswersOld: {
      fires: { 'delegation_sync_lag_seconds{job="waggle-delegation", instance="a"}': '0+60x60' },
      quiet: { 'delegation_sync_lag_seconds{job="waggle-delegation", instance="a"}': stays(70) },
    },
    DelegationNobodyIndexes: nobodyIndexes('delegation'),
    DelegationNodesContradict: nodesContradict('delegation'),
    DelegationIndexLags: indexLags('delegation'),
    DelegationHistoryContradicts: {
      fires: { 'delegation_backfill_mismatches{job="waggle-delegation-indexer"}': stays(1) },
      quiet: { 'delegation_backfill_mismatches{job="waggle-delegation-indexer"}': stays(0) },
    },
    DelegationHiveNodes: hiveNodes('delegation-indexer'),
  },
  'video-auth': {
    VideoAuthGone: gone('video-auth'),
    VideoAuthFaults: faults('video-auth'),
    VideoAuthSlow: slow('video-auth'),
    VideoAuthHiveNodes: hiveNodes('video-auth'),
    VideoAuthNobodyGetsIn: {
      fires: { [logins('ok')]: perMinute(80), [logins('chain-unavailable')]: perMinute(20) },
      quiet: { [logins('ok')]: perMinute(10), [logins('invalid-signature')]: perMinute(90) },
    },
    VideoAuthKeysUnknown: {
      fires: { [keyChecks('suffices')]: perMinute(40), [keyChecks('unknown')]: perMinute(60) },
      quiet: { [keyChecks('suffices')]: perMinute(60), [keyChecks('unknown')]: perMinute(40) },
    },
  },
  'rpc-gateway': {
    RpcGatewayGone: gone('rpc-gateway'),
    RpcGatewayFaults: faults('rpc-gateway'),
    RpcGatewayNoNode: {
      fires: { [usable('a', 'n')]: stays(0), [usable('a', 'm')]: stays(0), [usable('b', 'n')]: stays(1) },
      quiet: { [usable('a', 'n')]: stays(0), [usable('a', 'm')]: stays(1), [usable('b', 'n')]: stays(1) },
    },
    RpcGatewaySlow: { fires: durationOfCalls([980, 20]), quiet: durationOfCalls([995, 5]) },
    RpcGatewayCallsFail: {
      fires: { [calls('result')]: perMinute(90), [calls('timeout')]: perMinute(10) },
      quiet: {
        [calls('result')]: perMinute(50),
        [calls('node-error')]: perMinute(40),
        [calls('refused')]: perMinute(10),
      },
    },
    RpcGatewayNobodyIndexes: nobodyIndexes('rpc-gateway'),
    RpcGatewayNodesContradict: nodesContradict('rpc-gateway'),
    RpcGatewayIndexLags: indexLags('rpc-gateway'),
    RpcGatewayIndexIncomplete: {
      fires: { [needMet('live-head')]: stays(1), [needMet('notifications')]: stays(0) },
      quiet: { [needMet('live-head')]: stays(1), [needMet('notifications')]: stays(1) },
    },
    RpcGatewayIndexOld: {
      fires: { [indexAge('a')]: '0+60x60' },
      quiet: { [indexAge('a')]: '0+60x60', [indexAge('b')]: stays(70) },
    },
    RpcGatewayHiveNodes: hiveNodes('rpc-gateway-indexer'),
  },
};
