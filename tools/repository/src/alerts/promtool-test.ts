import { type Case, type Series } from './cases';
import { type RuleSpec } from './rules';

/** When it is looked whether the alert fires: after the longest range and the longest `for` of all. */
const evaluatedAt = '40m';

/** Where what should fire an alert happens, and where at the same time all is well. */
const [struck, well] = ['one', 'another'];

/** A file for `promtool test rules`: each alert on its series, in two installations. JSON is YAML. */
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
        test('fires', { ...within(struck, fires), ...within(well, quiet) }, firing({ namespace: struck })),
        test('stays quiet', { ...within(struck, quiet), ...within(well, quiet) }, []),
        test('of nothing', {}, firesOnNothing === true ? firing({}) : []),
      ];
    });
  return { rule_files: [ruleFile], evaluation_interval: '1m', tests };
}

function within(namespace: string, series: Series): Series {
  return Object.fromEntries(
    Object.entries(series).map(([one, values]) => [one.replace('{', `{namespace="${namespace}", `), values]),
  );
}
