import { LackingApis } from './lacking-apis';

const api = '/hafah-api/';

it('remembers for ten minutes that a node lacks an API, and checks it once a minute', () => {
  const apis = new LackingApis();
  expect(apis.lacks(api, 0)).toBe(false);
  expect([apis.startCheck(api, 0), apis.startCheck(api, 59_999), apis.startCheck('/hafsql/', 1)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(apis.lacks(api, 1)).toBe(false);
  apis.record(api, true);
  expect([1, 599_999, 600_000].map((nowMs) => apis.lacks(api, nowMs))).toEqual([true, true, false]);
  expect(apis.lacks('/hafsql/', 1)).toBe(false);
});

it('still counts an API as lacking while it is checked again', () => {
  const apis = new LackingApis();
  apis.startCheck(api, 0);
  apis.record(api, true);
  expect([apis.startCheck(api, 60_000), apis.lacks(api, 60_001)]).toEqual([true, true]);
  apis.record(api, false);
  expect(apis.lacks(api, 60_002)).toBe(false);
});
