import { Pool } from 'pg';
import { tolerateConnectionErrors } from './pool';

it('tolerateConnectionErrors adds its listeners once, also if a pool is passed repeatedly', () => {
  const pool = new Pool();
  for (let times = 0; times < 3; times += 1) tolerateConnectionErrors(pool);
  expect([pool.listenerCount('error'), pool.listenerCount('acquire')]).toEqual([1, 1]);
});
