import { BlocksPerCall } from './blocks-per-call';

it('is halved by each error down to one, and doubled again up to the maximum', () => {
  const size = new BlocksPerCall(100);
  const after = (change: 'shrink' | 'grow') => {
    size[change]();
    return size.current;
  };
  expect(Array.from({ length: 8 }, () => after('shrink'))).toEqual([50, 25, 12, 6, 3, 1, 1, 1]);
  expect(Array.from({ length: 8 }, () => after('grow'))).toEqual([2, 4, 8, 16, 32, 64, 100, 100]);
});
