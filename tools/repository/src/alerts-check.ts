import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { explain, PlainError } from '@waggle/running';
import { getPromtool, Overlay } from '@waggle/testing';
import { alertCases } from './alerts/cases';
import { promtoolTest } from './alerts/promtool-test';
import { rulesOf } from './alerts/rules';
import { dashboards } from './dashboards/services';

/** Lets promtool test every alert on `alertCases`, and parse every expression of the dashboards. */
async function main(): Promise<void> {
  const promtool = await getPromtool();
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-alerts-'));
  const write = (name: string, content: object) => {
    writeFileSync(path.join(folder, name), JSON.stringify(content));
    return name;
  };
  const run = (...args: string[]) => {
    try {
      execFileSync(promtool, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    } catch (error) {
      throw new PlainError(`promtool ${args.join(' ')} found faults.`, { cause: error });
    }
  };
  try {
    for (const [service, cases] of Object.entries(alertCases)) {
      const rules = rulesOf(Overlay.build(`production/${service}`), service);
      const ruleFile = write(`${service}.rules.json`, rules);
      run('check', 'rules', ruleFile);
      run('test', 'rules', write(`${service}.test.json`, promtoolTest(ruleFile, rules, cases)));
      console.log(
        `${service}: each of ${Object.keys(cases).length} alerts fires where it should and not where it should not`,
      );
    }
    const asked = dashboards.flatMap(({ rows }) =>
      rows.flatMap(({ panels }) => panels.flatMap(({ lines }) => Object.keys(lines))),
    );
    const recorded = asked.map((expr, index) => ({ record: `dashboard:${index}`, expr }));
    run(
      'check',
      'rules',
      '--lint=none',
      write('dashboards.json', { groups: [{ name: 'dashboards', rules: recorded }] }),
    );
    console.log(`dashboards: ${asked.length} expressions are PromQL`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exitCode = 1;
});
