import { createLogger } from './logging';

describe('createLogger', () => {
  it('writes one JSON object per line, without credentials', () => {
    const lines: string[] = [];
    const logger = createLogger('chat', 'info', { write: (line) => lines.push(line) });
    logger.info(
      { token: 'secret-1', request: { headers: { authorization: 'secret-2', cookie: 'secret-3' }, sig: 'secret-4' } },
      'hello',
    );
    logger.debug('not at this level');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', service: 'chat', msg: 'hello' });
    expect(lines[0]).not.toContain('secret-');
  });
});
