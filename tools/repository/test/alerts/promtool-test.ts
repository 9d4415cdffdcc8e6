import { type Case, type Series } from './cases';
import { type RuleSpec } from './rules';

/** Later than the longest range and the longest `for` of all alerts. */
const evaluatedAt = '40m';

/** Namespaces: one in which an alert should fire, and one in which it should not at the same time. */
const [failing, healthy] = ['one', 'another'];

/** Creates a file for `promtool test rules`: each alert with its series, in two installations. JSON is valid YAML. */
export function promtoolTest(ruleFile: string, { groups }: RuleSpec, cases: Readonly<Record<string, Case>>): object {
  const tests = groups
    .flatMap(({ rules }) => rules)
    .flatMap(({ alert, labels, annotations }) => {
      const { fires, quiet, firesOnNothing } = cases[alert] ?? { fires: {}, quiet: {} };
      const firing = (more: Readonly<Record<string, string>>) => [
        { exp_labels: { ...labels, ...more }, exp_annotations: annotations },
      ];
      const test = (name: string, series: Series, expected: object[]) => ({
        name: `${alert} ${name}`,
        interval: '1m',
        input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
        alert_rule_test: [{ eval_time: evaluatedAt, alertname: alert, exp_alerts: expected }],
      });
      return [
        test('fires', { ...within(failing, fires), ...within(healthy, quiet) }, firing({ namespace: failing })),
        test('without series', {}, firesOnNothing === true ? firing({}) : []),
      ];
    });
  return { rule_files: [ruleFile], evaluation_interval: '1m', tests };
}

function within(namespace: string, series: Series): Series {
  return Object.fromEntries(
    Object.entries(series).map(([one, values]) => [one.replace('{', `{namespace="${namespace}", `), values]),
  );
}
