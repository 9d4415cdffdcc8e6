import { type Case, type Series } from './cases';
import { type RuleSpec } from './rules';

/** Later than the longest range and the longest `for` of all alerts. */
const evaluatedAt = '40m';

/** Namespaces: an alert should fire in the first, and not in the second at the same time. */
const [failing, healthy] = ['one', 'another'];

/**
 * Creates a file for `promtool test rules`: each alert with its series, in two installations, and all alerts without
 * any series. JSON is valid YAML.
 */
export function promtoolTest(ruleFile: string, { groups }: RuleSpec, cases: Readonly<Record<string, Case>>): object {
  const alerts = groups
    .flatMap(({ rules }) => rules)
    .map(({ alert, labels, annotations }) => {
      const firing = (more: Readonly<Record<string, string>>) => [
        { exp_labels: { ...labels, ...more }, exp_annotations: annotations },
      ];
      const expectation = (expected: object[]) => ({ eval_time: evaluatedAt, alertname: alert, exp_alerts: expected });
      return { alert, firing, expectation, ...(cases[alert] ?? { fires: {}, quiet: {} }) };
    });
  const test = (name: string, series: Series, expectations: object[]) => ({
    name,
    interval: '1m',
    input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
    alert_rule_test: expectations,
  });
  const tests = [
    ...alerts.map(({ alert, fires, quiet, firing, expectation }) =>
      test(`${alert} fires`, { ...within(failing, fires), ...within(healthy, quiet) }, [
        expectation(firing({ namespace: failing })),
      ]),
    ),
    test(
      'without series',
      {},
      alerts.map(({ firesOnNothing, firing, expectation }) => expectation(firesOnNothing === true ? firing({}) : [])),
    ),
  ];
  return { rule_files: [ruleFile], evaluation_interval: '1m', tests };
}

function within(namespace: string, series: Series): Series {
  return Object.fromEntries(
    Object.entries(series).map(([one, values]) => [one.replace('{', `{namespace="${namespace}", `), values]),
  );
}
