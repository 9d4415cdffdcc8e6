import { type Panel, type Row } from './dashboard';

const platform = 'route!~"/health/.*|/metrics"';

/** What callers of a role see of it. */
export function requests(job: string): Row {
  const of = (more = '') => `http_request_duration_seconds_count{job="waggle-${job}", ${platform}${more}}[5m]`;
  const quantile = (share: number) =>
    `histogram_quantile(${share}, sum by (le) (rate(http_request_duration_seconds_bucket{job="waggle-${job}", ${platform}}[5m])))`;
  return {
    title: 'Requests',
    panels: [
      {
        title: 'Requests by route',
        unit: 'reqps',
        lines: { [`sum by (method, route) (rate(${of()}))`]: '{{method}} {{route}}' },
      },
      {
        title: 'Share that ends with 5xx',
        unit: 'percentunit',
        lines: { [`(sum(rate(${of(', status=~"5.."')})) or vector(0)) / sum(rate(${of()}))`]: '5xx' },
      },
      { title: 'Duration', unit: 's', lines: { [quantile(0.5)]: 'half', [quantile(0.99)]: '99 of 100' } },
      {
        title: 'Unsent responses',
        unit: 'bytes',
        lines: { [`http_unsent_response_bytes{job="waggle-${job}"}`]: '{{instance}}' },
      },
      {
        title: 'Limited responses',
        unit: 'ops',
        lines: {
          [`sum by (outcome) (rate(http_limited_responses_total{job="waggle-${job}"}[5m]))`]: '{{outcome}}',
        },
      },
    ],
  };
}

/** How much each instance of the roles has to do. `instance` is its address. */
export function processes(...jobs: string[]): Row {
  const of = `{job=~"${jobs.map((job) => `waggle-${job}`).join('|')}"}`;
  return {
    title: 'Processes',
    panels: [
      { title: 'Instances that are scraped', unit: 'short', lines: { [`sum by (job) (up${of})`]: '{{job}}' } },
      {
        title: 'Processor',
        unit: 'percentunit',
        lines: { [`rate(process_cpu_seconds_total${of}[5m])`]: '{{instance}}' },
      },
      { title: 'Memory', unit: 'bytes', lines: { [`process_resident_memory_bytes${of}`]: '{{instance}}' } },
      {
        title: 'How late timers fire, 99 of 100',
        unit: 's',
        lines: { [`nodejs_eventloop_lag_p99_seconds${of}`]: '{{instance}}' },
      },
    ],
  };
}

export function hiveNodes(job: string): Panel[] {
  const calls = `rate(hive_node_calls_total{job="waggle-${job}"}[5m])`;
  return [
    { title: 'Calls to Hive nodes by node', unit: 'ops', lines: { [`sum by (node) (${calls})`]: '{{node}}' } },
    { title: 'Calls to Hive nodes by outcome', unit: 'ops', lines: { [`sum by (outcome) (${calls})`]: '{{outcome}}' } },
  ];
}

/** How far an indexer is. */
export function indexing(job: string): Row {
  const of = `{job="waggle-${job}"}`;
  return {
    title: 'Indexer',
    panels: [
      {
        title: 'Blocks still to be applied',
        unit: 'short',
        lines: { [`min by (follower) (chain_follower_lag_blocks${of})`]: '{{follower}}' },
      },
      {
        title: 'Age of the last block applied',
        unit: 's',
        lines: { [`min by (follower) (chain_follower_lag_seconds${of})`]: '{{follower}}' },
      },
      {
        title: 'Blocks applied',
        unit: 'ops',
        lines: { [`sum by (follower) (rate(chain_follower_blocks_total${of}[5m]))`]: '{{follower}}' },
      },
      {
        title: 'Who leads',
        unit: 'short',
        lines: { [`chain_follower_role{job="waggle-${job}", role="leader"}`]: '{{follower}} {{instance}}' },
      },
      {
        title: 'Faults that were waited for to pass',
        unit: 'ops',
        lines: { [`sum by (follower) (rate(chain_follower_faults_total${of}[5m]))`]: '{{follower}}' },
      },
      {
        title: 'Ranges of blocks applied without a second node',
        unit: 'ops',
        lines: { [`sum by (follower) (rate(chain_follower_ranges_not_compared_total${of}[5m]))`]: '{{follower}}' },
      },
      {
        title: 'Blocks',
        unit: 'short',
        lines: {
          [`max(chain_follower_head_block${of})`]: 'head',
          [`max(chain_follower_irreversible_block${of})`]: 'irreversible',
          [`max by (follower) (chain_follower_processed_block${of})`]: 'applied: {{follower}}',
        },
      },
      ...hiveNodes(job),
    ],
  };
}
