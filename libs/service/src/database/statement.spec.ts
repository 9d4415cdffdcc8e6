import { isJoined } from './statement';

describe('isJoined', () => {
  const names = ['id', 'name'] as const;

  it('tells a row that an outer join has found from one that it has not', () => {
    expect(isJoined({ id: '1', name: 'x', note: null }, names)).toBe(true);
    expect(isJoined({ id: null, name: null, note: 'x' }, names)).toBe(false);
  });

  it('takes no row for missing that has a null beside other values', () => {
    expect(() => isJoined({ id: '1', name: null }, names)).toThrow('null beside others: name');
  });
});
