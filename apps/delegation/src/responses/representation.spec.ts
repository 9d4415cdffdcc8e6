import { representationFor } from './representation';

describe('representationFor', () => {
  it.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'json'],
    ['image/png', 'json'],
    ['text/csv', 'csv'],
    ['TEXT/CSV; charset=utf-8', 'csv'],
    ['text/csv, application/json', 'csv'],
    ['application/json, text/csv', 'json'],
    ['application/json;q=0.5, text/csv', 'csv'],
    ['text/csv;q=0.5, application/json', 'json'],
    ['text/csv, */*;q=0.1', 'csv'],
    ['text/csv;q=0', 'json'],
    ['text/csv;q=none', 'json'],
  ])('%s: %s', (accept, form) => {
    expect(representationFor(accept)).toBe(form);
  });
});
