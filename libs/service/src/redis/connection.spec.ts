import { clusterOptions } from './connection';

describe('clusterOptions', () => {
  const redisOptionsFor = (url: string) => clusterOptions(url, { commandTimeout: 5 }).redisOptions;

  it('send the credentials to every node, and preserve the other options', () => {
    expect(redisOptionsFor('redis://user:p%40ss%2Cword@one.example:7000')).toEqual({
      commandTimeout: 5,
      username: 'user',
      password: 'p@ss,word',
    });
    expect(redisOptionsFor('redis://:secret@one.example')).toEqual({ commandTimeout: 5, password: 'secret' });
    expect(redisOptionsFor('redis://one.example')).toEqual({ commandTimeout: 5 });
  });

  it('use TLS for every node if the URL requires it', () => {
    expect(redisOptionsFor('rediss://one.example')).toEqual({ commandTimeout: 5, tls: {} });
  });

  it('keep host names, since certificates are issued for them', () => {
    const found: unknown[] = [];
    clusterOptions('rediss://one.example', {}).dnsLookup?.('one.example', (...result) => found.push(result));
    expect(found).toEqual([[null, 'one.example']]);
  });
});
