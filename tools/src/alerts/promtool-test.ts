import { type Case, type Series } from './cases';
import { type RuleSpec } from './rules';

/** When it is looked whether the alert fires: after the longest range and the longest `for` of all. */
const evaluatedAt = '40m';

/** A file for `promtool test rules`: each alert on its two series. JSON is YAML. */
export function promtoolTest(ruleFile: string, { groups }: RuleSpec, cases: Readonly<Record<string, Case>>): object {
  const tests = groups
    .flatMap(({ rules }) => rules)
    .flatMap(({ alert, labels, annotations }) => {
      const { fires, quiet } = cases[alert] ?? { fires: {}, quiet: {} };
      const test = (name: string, series: Series, expected: object[]) => ({
        name: `${alert} ${name}`,
        interval: '1m',
        input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
        alert_rule_test: [{ eval_time: evaluatedAt, alertname: alert, exp_alerts: expected }],
      });
      return [
        test('fires', fires, [{ exp_labels: labels, exp_annotations: annotations }]),
        test('stays quiet', quiet, []),
      ];
    });
  return { rule_files: [ruleFile], evaluation_interval: '1m', tests };
}
