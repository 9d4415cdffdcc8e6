import { isJoined } from './statement';

describe('isJoined', () => {
  const names = ['id', 'name'] as const;

  it('detects whether an outer join found a row', () => {
    expect(isJoined({ id: '1', name: 'x', note: null }, names)).toBe(true);
    expect(isJoined({ id: null, name: null, note: 'x' }, names)).toBe(false);
  });

  it('throws for a row in which only some columns are null', () => {
    expect(() => isJoined({ id: '1', name: null }, names)).toThrow('only some columns: name');
  });
});
