import { notPositive, quickRun } from './quick-run';

// It starts PostgreSQL, Redis, a devnet and the service.
jest.setTimeout(120_000);

it('measures the service and its baseline, and counts calls to the chain', async () => {
  const measures = await quickRun('login');
  expect(Object.keys(measures['rate']?.readings ?? {}).toSorted()).toEqual(['bare route', 'service']);
  expect(notPositive(measures)).toEqual([]);
  // Does not depend on the load of the machine.
  expect(measures['lookups']).toMatchObject({ readings: { lookups: [1] }, comparisons: [{ isMet: true }] });
});
