import { type Dashboard, type Panel } from './dashboard';
import { hiveNodes, indexing, processes, requests } from './shared-rows';

/** A panel of the rate of a counter, by one of its labels. */
const rates = (title: string, metric: string, label: string, job: string): Panel => ({
  title,
  unit: 'ops',
  lines: { [`sum by (${label}) (rate(${metric}{job="waggle-${job}"}[5m]))`]: `{{${label}}}` },
});

/** A panel of what each instance says. */
const gauges = (title: string, unit: Panel['unit'], metric: string, job: string): Panel => ({
  title,
  unit,
  lines: { [`${metric}{job="waggle-${job}"}`]: '{{instance}}' },
});

const chat: Dashboard = {
  service: 'chat',
  rows: [
    {
      title: 'Chat',
      panels: [
        gauges('Open WebSockets', 'short', 'chat_connections', 'chat'),
        rates('Frames from clients', 'chat_frames_total', 'type', 'chat'),
        rates('Events written to connections', 'chat_deliveries_total', 'type', 'chat'),
        rates('Frames answered with an error', 'chat_frame_errors_total', 'code', 'chat'),
        gauges('Streams that connected accounts hear', 'short', 'chat_streams', 'chat'),
        {
          title: 'Events that Redis did not tell of',
          unit: 'ops',
          lines: { 'sum(rate(chat_entries_filled_total{job="waggle-chat"}[5m]))': 'read from the database' },
        },
        rates('Rows removed because they were old', 'chat_rows_removed_total', 'table', 'chat'),
        rates('Whether keys of sessions still suffice', 'chat_key_checks_total', 'answer', 'chat'),
        ...hiveNodes('chat'),
      ],
    },
    requests('chat'),
    processes('chat'),
  ],
};

const delegation: Dashboard = {
  service: 'delegation',
  rows: [
    {
      title: 'Answers',
      panels: [
        gauges('Age of what is answered', 's', 'delegation_sync_lag_seconds', 'delegation'),
        gauges('Last block that the answers know', 'short', 'delegation_synced_block', 'delegation'),
        {
          title: 'Changes applied',
          unit: 'ops',
          lines: { 'sum(rate(delegation_changes_total{job="waggle-delegation-indexer"}[5m]))': 'changes' },
        },
        {
          title: 'History that is read',
          unit: 'percentunit',
          lines: { 'max(delegation_backfill_ratio{job="waggle-delegation-indexer"})': 'read' },
        },
        {
          title: 'Delegations',
          unit: 'short',
          lines: {
            'max(delegation_loaded{job="waggle-delegation-indexer"})': 'loaded when the index began',
            'max(delegation_backfill_mismatches{job="waggle-delegation-indexer"})': 'contradicted by the history',
          },
        },
      ],
    },
    requests('delegation'),
    indexing('delegation-indexer'),
    processes('delegation', 'delegation-indexer'),
  ],
};

const videoAuth: Dashboard = {
  service: 'video-auth',
  rows: [
    {
      title: 'Log-ins and sessions',
      panels: [
        rates('Log-ins', 'video_auth_logins_total', 'outcome', 'video-auth'),
        rates('Sessions that were ended', 'video_auth_sessions_ended_total', 'reason', 'video-auth'),
        rates('Whether keys of sessions still suffice', 'video_auth_key_checks_total', 'answer', 'video-auth'),
        ...hiveNodes('video-auth'),
      ],
    },
    requests('video-auth'),
    processes('video-auth'),
  ],
};

const durationOfCalls = (share: number) =>
  `histogram_quantile(${share}, sum by (le) (rate(rpc_gateway_call_duration_seconds_bucket{job="waggle-rpc-gateway"}[5m])))`;

const rpcGateway: Dashboard = {
  service: 'rpc-gateway',
  rows: [
    {
      title: 'Calls',
      panels: [
        rates('Calls by route', 'rpc_gateway_calls_total', 'route', 'rpc-gateway'),
        rates('Calls by where the answer came from', 'rpc_gateway_calls_total', 'cache', 'rpc-gateway'),
        rates('Calls by how they ended', 'rpc_gateway_calls_total', 'outcome', 'rpc-gateway'),
        {
          title: 'Duration of calls whose answer was not kept',
          unit: 's',
          lines: { [durationOfCalls(0.5)]: 'half', [durationOfCalls(0.99)]: '99 of 100' },
        },
        gauges('Answers kept in the process', 'short', 'rpc_gateway_kept_answers', 'rpc-gateway'),
        gauges('Memory of these', 'bytes', 'rpc_gateway_kept_bytes', 'rpc-gateway'),
      ],
    },
    {
      title: 'Nodes',
      panels: [
        {
          title: 'Instances for which a node is well',
          unit: 'short',
          lines: {
            'sum by (backend, node) (rpc_gateway_upstream_usable{job="waggle-rpc-gateway"})': '{{backend}} {{node}}',
          },
        },
        {
          title: 'Calls that run or wait',
          unit: 'short',
          lines: {
            'sum by (backend, node) (rpc_gateway_upstream_calls{job="waggle-rpc-gateway"})': '{{backend}} {{node}}',
          },
        },
        {
          title: 'Head block',
          unit: 'short',
          lines: {
            'max by (backend, node) (rpc_gateway_upstream_head_block{job="waggle-rpc-gateway"})':
              '{{backend}} {{node}}',
          },
        },
        {
          title: 'Replies',
          unit: 'ops',
          lines: {
            'sum by (node, reply) (rate(rpc_gateway_upstream_replies_total{job="waggle-rpc-gateway"}[5m]))':
              '{{node}} {{reply}}',
          },
        },
      ],
    },
    requests('rpc-gateway'),
    indexing('rpc-gateway-indexer'),
    processes('rpc-gateway', 'rpc-gateway-indexer'),
  ],
};

export const dashboards: readonly Dashboard[] = [chat, delegation, videoAuth, rpcGateway];
