import { readFileSync } from 'node:fs';
import path from 'node:path';
import { serviceNames, services } from './services';

const k8s = path.resolve(__dirname, '../../../../k8s/base');
const mebibytes: Record<string, number> = { Mi: 1, Gi: 1_024 };

it.each(serviceNames)('compares %s with the memory limit of its manifest', (name) => {
  const manifest = readFileSync(path.join(k8s, name, 'api.yaml'), 'utf8');
  const [, amount, unit = ''] = /limits: \{ memory: (\d+)(Mi|Gi) \}/.exec(manifest) ?? [];
  expect(services[name].memoryBytes).toBe(Number(amount) * (mebibytes[unit] ?? 0) * 2 ** 20);
});
