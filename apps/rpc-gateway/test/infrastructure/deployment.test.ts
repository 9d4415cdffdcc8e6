import { Overlay, readComposition, secretStandIn, unknownSettings } from '@waggle/testing';
import { apiEnvironment, indexerEnvironment, readApiConfig, readIndexerConfig } from '../../src/config';

it.each(['local', 'production'])('accepts every setting of the overlay %s', (name) => {
  const overlay = Overlay.build(`${name}/rpc-gateway`);
  const api = overlay.environmentOf('Deployment', 'rpc-gateway', secretStandIn);
  expect(unknownSettings(api, apiEnvironment)).toEqual([]);
  const { http, redis } = readApiConfig(api);
  expect(http).toMatchObject({ host: '0.0.0.0', port: 8080, trustedProxies: ['uniquelocal'] });
  // Several pods share a cache.
  expect(redis).toBeDefined();

  const indexer = overlay.environmentOf('Deployment', 'rpc-gateway-indexer', secretStandIn);
  expect(unknownSettings(indexer, indexerEnvironment)).toEqual([]);
  expect(readIndexerConfig(indexer).http.port).toBe(8080);
  expect(Object.keys(overlay.environmentOf('Job', 'rpc-gateway-migrate', secretStandIn))).toEqual(['DATABASE_URL']);
});

it('accepts every setting of docker/compose.yaml', () => {
  const services = readComposition();
  const api = services.get('rpc-gateway')?.environment ?? {};
  expect(unknownSettings(api, apiEnvironment)).toEqual([]);
  const indexer = services.get('rpc-gateway-indexer')?.environment ?? {};
  expect(unknownSettings(indexer, indexerEnvironment)).toEqual([]);
  expect(readApiConfig(api).database.url).toBe(readIndexerConfig(indexer).database.url);
});
