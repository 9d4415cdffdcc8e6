import { type MethodReport, type NodeReport } from '@waggle/chain';
import { unmetNeeds } from './format-node-reports';

function report(probe: Partial<MethodReport['probe']>, verdict: MethodReport['verdict']): NodeReport {
  const method = { method: 'a.method', purpose: 'a test', requiredNodes: 'one', consequence: 'it fails' } as const;
  const methods = [{ probe: { ...method, ...probe }, verdict, detail: undefined, ms: undefined }];
  return { node: 'node', version: undefined, head: undefined, lagMs: undefined, behindBlocks: undefined, methods };
}

describe('unmetNeeds', () => {
  const unmet = ['a-service: it fails: no node serves a.method'];

  it.each<[MethodReport['verdict'], Partial<MethodReport['probe']>, string[]]>([
    ['works', {}, []],
    ['differs', {}, []],
    ['unknown', {}, []],
    ['not-served', {}, unmet],
    ['fails', {}, unmet],
    ['not-served', { requiredNodes: 'none' }, []],
    ['unknown', { needsHead: true }, unmet],
  ])('with the verdict "%s" and the probe %j are %j', (verdict, probe, expected) => {
    expect(unmetNeeds('a-service', [report(probe, 'fails'), report(probe, verdict)])).toEqual(expected);
  });
});
