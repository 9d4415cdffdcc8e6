import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { explain, PlainError, repositoryFolder } from '@waggle/running';
import { getPromtool, Overlay } from '@waggle/testing';
import { z } from 'zod';
import { alertCases } from './alerts/cases';
import { promtoolTest } from './alerts/promtool-test';
import { rulesOf } from './alerts/rules';

/** Runs promtool on every alert with its `alertCases`, and on every expression of the dashboards. */
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
      throw new PlainError(`promtool ${args.join(' ')} failed.`, { cause: error });
    }
  };
  try {
    for (const [service, cases] of Object.entries(alertCases)) {
      const rules = rulesOf(Overlay.build(`production/${service}`), service);
      const ruleFile = write(`${service}.rules.json`, rules);
      run('check', 'rules', ruleFile);
      run('test', 'rules', write(`${service}.test.json`, promtoolTest(ruleFile, rules, cases)));
      console.log(
        `${service}: ${Object.keys(cases).length} alerts fire on the series that should fire them, and on no others`,
      );
    }
    const expressions = Object.keys(alertCases).flatMap(dashboardExpressions);
    const rules = expressions.map((expr, index) => ({ record: `dashboard:${index}`, expr }));
    run('check', 'rules', '--lint=none', write('dashboards.json', { groups: [{ name: 'dashboards', rules }] }));
    console.log(`dashboards: ${expressions.length} expressions are valid PromQL`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

function dashboardExpressions(service: string): string[] {
  const file = path.join(repositoryFolder, 'k8s/base', service, 'dashboard.json');
  const { panels } = dashboard.parse(JSON.parse(readFileSync(file, 'utf8')));
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exitCode = 1;
});
