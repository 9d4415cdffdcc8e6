import { isJoined } from './statement';

describe('isJoined', () => {
  const joinedColumns = ['id', 'name'] as const;

  it('is true if no joined column is null', () => {
    expect(isJoined({ id: '1', name: 'x', note: null }, joinedColumns)).toBe(true);
  });

  it('is false if all joined columns are null', () => {
    expect(isJoined({ id: null, name: null, note: 'x' }, joinedColumns)).toBe(false);
  });

  it('throws, and names the null columns, if only some joined columns are null', () => {
    expect(() => isJoined({ id: '1', name: null }, joinedColumns)).toThrow(
      'an outer join returned null for only some columns: name',
    );
  });

  it('throws if no joined columns are listed, since there is nothing to decide by', () => {
    expect(() => isJoined({ id: '1' }, [])).toThrow('isJoined needs at least one joined column');
  });
});
