import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { generateContract } from './generate-contract';

const file = path.join(__dirname, '../src/contract.ts');

it('has the types and guards of the contract', async () => {
  const generated = await format(generateContract(), { ...(await resolveConfig(file)), filepath: file });
  // Set by `npx nx run client:generate`.
  if (process.env['GENERATE'] !== undefined) writeFileSync(file, generated);
  expect(readFileSync(file, 'utf8')).toBe(generated);
});
