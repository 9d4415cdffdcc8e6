/** Series by name and labels, with a value per minute in promtool's notation: `0+60x30` is 0, 60, 120 … */
export type Series = Readonly<Record<string, string>>;

/** Series that fire an alert within half an hour, and series close to the threshold that do not. */
export interface Case {
  fires: Series;
  quiet: Series;
  /** Whether it fires without any series, as before the first deployment. */
  firesOnNothing?: true;
}

/** Values of a counter that grows by `count` per minute. */
const perMinute = (count: number) => `0+${count}x60`;
const stays = (value: number) => `${value}x60`;

const requests = (job: string, status: string, route = '/somewhere') =>
  `http_request_duration_seconds_count{job="waggle-${job}", method="GET", route="${route}", status="${status}"}`;

const down = (job: string): Case => ({
  fires: { [`up{job="waggle-${job}", instance="a"}`]: stays(0) },
  quiet: { [`up{job="waggle-${job}", instance="a"}`]: stays(0), [`up{job="waggle-${job}", instance="b"}`]: stays(1) },
  firesOnNothing: true,
});

/** Failed readiness probes do not count: users do not see them. */
const errors = (job: string): Case => ({
  fires: { [requests(job, '200')]: perMinute(970), [requests(job, '503')]: perMinute(30) },
  quiet: {
    [requests(job, '200')]: perMinute(990),
    [requests(job, '500')]: perMinute(10),
    [requests(job, '404')]: perMinute(500),
    [requests(job, '503', '/health/ready')]: perMinute(500),
  },
});

/** A histogram with `counts[0]` calls per minute of up to `fast` seconds and `counts[1]` of up to `slow`. */
function durations(metric: string, labels: string, [fast, slow]: [string, string], counts: [number, number]): Series {
  const bucket = (le: string, count: number) => ({ [`${metric}_bucket{${labels}, le="${le}"}`]: perMinute(count) });
  const all = counts[0] + counts[1];
  return { ...bucket(fast, counts[0]), ...bucket(slow, all), ...bucket('+Inf', all) };
}

const requestDurations = (job: string, counts: [number, number], route = '/somewhere') =>
  durations('http_request_duration_seconds', `job="waggle-${job}", route="${route}"`, ['1', '5'], counts);

const slow = (job: string): Case => ({
  fires: requestDurations(job, [980, 20]),
  quiet: requestDurations(job, [995, 5]),
});

const slowExceptDownloads = (job: string): Case => {
  const { fires, quiet } = slow(job);
  return { fires, quiet: { ...quiet, ...requestDurations(job, [0, 1_000], '/somewhere download') } };
};

const hiveNodes = (job: string): Case => {
  const of = (outcome: string) => `hive_node_calls_total{job="waggle-${job}", node="n", outcome="${outcome}"}`;
  return {
    fires: { [of('result')]: perMinute(40), [of('timeout')]: perMinute(60) },
    quiet: { [of('result')]: perMinute(10), [of('rejected')]: perMinute(50), [of('timeout')]: perMinute(40) },
  };
};

const noLeader = (follower: string): Case => {
  const role = (instance: string, name: string) =>
    `chain_follower_role{job="waggle-${follower}-indexer", follower="${follower}", instance="${instance}", role="${name}"}`;
  return {
    fires: { [role('a', 'standby')]: stays(1), [role('a', 'leader')]: stays(0) },
    // While the lock passes from one instance to another, there is no leader for a moment.
    quiet: { [role('a', 'leader')]: '1x10 0x2 0x48', [role('b', 'leader')]: '0x12 1x48' },
    firesOnNothing: true,
  };
};

const indexLag = (follower: string): Case => {
  const lag = (instance: string) =>
    `chain_follower_lag_blocks{job="waggle-${follower}-indexer", follower="${follower}", instance="${instance}"}`;
  return { fires: { [lag('a')]: '0+20x60' }, quiet: { [lag('a')]: '0+20x60', [lag('b')]: stays(3) } };
};

const nodesDisagree = (follower: string): Case => {
  const contradicted = (instance: string) =>
    `chain_follower_contradicted{job="waggle-${follower}-indexer", follower="${follower}", instance="${instance}"}`;
  // A short contradiction is an error of one node.
  return { fires: { [contradicted('a')]: stays(1) }, quiet: { [contradicted('a')]: '0x10 1x3 0x47' } };
};

/** @param jobs the roles that depend on it; one instance of the last role does not reach it */
const checkDown = (check: string, ...jobs: string[]): Case => {
  const up = (job: string, instance: string, of: string) =>
    `readiness_check_up{job="waggle-${job}", instance="${instance}", check="${of}"}`;
  return {
    fires: {
      ...Object.fromEntries(jobs.map((job) => [up(job, 'a', check), stays(1)])),
      [up(jobs.at(-1) ?? '', 'b', check)]: stays(0),
    },
    // A short outage, and one of another dependency.
    quiet: Object.fromEntries(
      jobs.flatMap((job) => [
        [up(job, 'a', check), '1x10 0x1 1x49'],
        [up(job, 'a', 'other'), stays(0)],
      ]),
    ),
  };
};

const backfillRatio = (instance: string) =>
  `delegation_backfill_ratio{job="waggle-delegation-indexer", instance="${instance}"}`;
const backfilledBlocks = (instance: string) =>
  `chain_follower_blocks_total{job="waggle-delegation-indexer", follower="delegation-backfill", instance="${instance}"}`;
const indexAge = (instance: string) =>
  `chain_follower_lag_seconds{job="waggle-rpc-gateway-indexer", follower="rpc-gateway", instance="${instance}"}`;
const logins = (outcome: string) => `video_auth_logins_total{job="waggle-video-auth", outcome="${outcome}"}`;
const keyChecks = (result: string) => `video_auth_key_checks_total{job="waggle-video-auth", result="${result}"}`;
const calls = (outcome: string) => `rpc_gateway_calls_total{job="waggle-rpc-gateway", route="r", outcome="${outcome}"}`;
const needMet = (need: string) => `rpc_gateway_index_need_met{job="waggle-rpc-gateway", instance="a", need="${need}"}`;
const usable = (instance: string, node: string) =>
  `rpc_gateway_upstream_usable{job="waggle-rpc-gateway", instance="${instance}", backend="hive", node="${node}"}`;
const durationOfCalls = (counts: [number, number]) =>
  durations('rpc_gateway_call_duration_seconds', 'job="waggle-rpc-gateway", route="r"', ['5', '10'], counts);

/** The cases of each service, by alert. */
export const alertCases: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  chat: {
    ChatDown: down('chat'),
    ChatErrors: errors('chat'),
    ChatDatabaseDown: checkDown('database', 'chat'),
    ChatRedisDown: checkDown('redis', 'chat'),
    ChatLoginsUnavailable: {
      // Few of all requests.
      fires: {
        [requests('chat', '200', '/users/login')]: perMinute(8),
        [requests('chat', '503', '/users/login')]: perMinute(2),
        [requests('chat', '200')]: perMinute(5_000),
      },
      quiet: {
        [requests('chat', '200', '/users/login')]: perMinute(5),
        [requests('chat', '401', '/users/login')]: perMinute(5),
        [requests('chat', '503')]: perMinute(50),
      },
    },
    ChatSlow: slow('chat'),
    ChatHiveNodeErrors: hiveNodes('chat'),
    ChatEventsLost: {
      fires: { 'chat_entries_filled_total{job="waggle-chat", instance="a"}': perMinute(70) },
      quiet: { 'chat_entries_filled_total{job="waggle-chat", instance="a"}': perMinute(50) },
    },
    ChatErasureStuck: {
      fires: { 'chat_erasure_age_seconds{job="waggle-chat", instance="a"}': stays(86_401) },
      quiet: { 'chat_erasure_age_seconds{job="waggle-chat", instance="a"}': stays(86_400) },
    },
    ChatFrameErrors: {
      fires: { 'chat_frame_errors_total{job="waggle-chat", code="unavailable"}': perMinute(70) },
      quiet: { 'chat_frame_errors_total{job="waggle-chat", code="forbidden"}': perMinute(7_000) },
    },
  },
  delegation: {
    DelegationDown: down('delegation'),
    DelegationErrors: errors('delegation'),
    DelegationDatabaseDown: checkDown('database', 'delegation', 'delegation-indexer'),
    DelegationSlow: slowExceptDownloads('delegation'),
    DelegationDataStale: {
      fires: { 'delegation_sync_lag_seconds{job="waggle-delegation", instance="a"}': '0+60x60' },
      quiet: { 'delegation_sync_lag_seconds{job="waggle-delegation", instance="a"}': stays(70) },
    },
    DelegationNoLeader: noLeader('delegation'),
    DelegationNodesDisagree: nodesDisagree('delegation'),
    DelegationIndexLag: indexLag('delegation'),
    DelegationBackfillStalled: {
      // It stops in the third minute; the main follower goes on.
      fires: {
        [backfillRatio('a')]: stays(0.5),
        [backfilledBlocks('a')]: '0+100x3 300x56',
        'chain_follower_blocks_total{job="waggle-delegation-indexer", follower="delegation"}': perMinute(20),
      },
      // A standby and the leader, which reads slowly.
      quiet: {
        [backfillRatio('a')]: stays(0),
        [backfilledBlocks('a')]: stays(0),
        [backfillRatio('b')]: stays(0.5),
        [backfilledBlocks('b')]: perMinute(1),
      },
    },
    DelegationBackfillMismatch: {
      fires: { 'delegation_backfill_mismatches{job="waggle-delegation-indexer"}': stays(1) },
      quiet: { 'delegation_backfill_mismatches{job="waggle-delegation-indexer"}': stays(0) },
    },
    DelegationHiveNodeErrors: hiveNodes('delegation-indexer'),
  },
  'video-auth': {
    VideoAuthDown: down('video-auth'),
    VideoAuthErrors: errors('video-auth'),
    VideoAuthDatabaseDown: checkDown('database', 'video-auth'),
    VideoAuthRedisDown: checkDown('redis', 'video-auth'),
    VideoAuthSlow: slow('video-auth'),
    VideoAuthHiveNodeErrors: hiveNodes('video-auth'),
    VideoAuthLoginsUnavailable: {
      fires: { [logins('ok')]: perMinute(80), [logins('chain-unavailable')]: perMinute(20) },
      quiet: { [logins('ok')]: perMinute(10), [logins('invalid-signature')]: perMinute(90) },
    },
    VideoAuthKeyChecksFail: {
      fires: { [keyChecks('suffices')]: perMinute(40), [keyChecks('unknown')]: perMinute(60) },
      quiet: { [keyChecks('suffices')]: perMinute(60), [keyChecks('unknown')]: perMinute(40) },
    },
  },
  'rpc-gateway': {
    RpcGatewayDown: down('rpc-gateway'),
    RpcGatewayErrors: errors('rpc-gateway'),
    RpcGatewayNoUsableNode: {
      fires: { [usable('a', 'n')]: stays(0), [usable('a', 'm')]: stays(0), [usable('b', 'n')]: stays(1) },
      quiet: { [usable('a', 'n')]: stays(0), [usable('a', 'm')]: stays(1), [usable('b', 'n')]: stays(1) },
    },
    RpcGatewayDatabaseDown: checkDown('database', 'rpc-gateway', 'rpc-gateway-indexer'),
    RpcGatewaySlow: { fires: durationOfCalls([980, 20]), quiet: durationOfCalls([995, 5]) },
    RpcGatewayCallErrors: {
      fires: { [calls('result')]: perMinute(90), [calls('timeout')]: perMinute(10) },
      quiet: {
        [calls('result')]: perMinute(50),
        [calls('node-error')]: perMinute(40),
        [calls('rejected')]: perMinute(10),
      },
    },
    RpcGatewayNoLeader: noLeader('rpc-gateway'),
    RpcGatewayNodesDisagree: nodesDisagree('rpc-gateway'),
    RpcGatewayIndexLag: indexLag('rpc-gateway'),
    RpcGatewayIndexIncomplete: {
      fires: { [needMet('live-head')]: stays(1), [needMet('notifications')]: stays(0) },
      quiet: { [needMet('live-head')]: stays(1), [needMet('notifications')]: stays(1) },
    },
    RpcGatewayIndexStale: {
      fires: { [indexAge('a')]: '0+60x60' },
      quiet: { [indexAge('a')]: '0+60x60', [indexAge('b')]: stays(70) },
    },
    RpcGatewayHiveNodeErrors: hiveNodes('rpc-gateway-indexer'),
  },
};
