import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'oxfmt';
import { z } from 'zod';
import { generateContract } from './generate-contract';

const file = path.join(__dirname, '../src/protocol/contract.ts');
const formatterSettings = path.join(__dirname, '../../../.oxfmtrc.json');

it('has the types and guards of the contract', async () => {
  const settings: unknown = JSON.parse(readFileSync(formatterSettings, 'utf8'));
  const options = z.object({ printWidth: z.number(), singleQuote: z.boolean() }).parse(settings);
  const { code: generated, errors } = await format(file, generateContract(), options);
  expect(errors).toEqual([]);
  // Set by `npx nx run client:generate`.
  if (process.env['GENERATE'] !== undefined) writeFileSync(file, generated);
  expect(readFileSync(file, 'utf8')).toBe(generated);
});
