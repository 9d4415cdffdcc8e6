import { Overlay, readComposition, secretStandIn, unknownSettings } from '@waggle/testing';
import { apiEnvironment, indexerEnvironment, readApiConfig, readIndexerConfig } from '../../src/config';

it.each(['local', 'production'])('gets only known settings from the overlay %s', (name) => {
  const overlay = Overlay.build(`${name}/delegation`);
  const api = overlay.environmentOf('Deployment', 'delegation', secretStandIn);
  expect(unknownSettings(api, apiEnvironment)).toEqual([]);
  const { http } = readApiConfig(api);
  expect(http).toMatchObject({ host: '0.0.0.0', port: 8080, trustedProxies: ['uniquelocal'] });

  const indexer = overlay.environmentOf('Deployment', 'delegation-indexer', secretStandIn);
  expect(unknownSettings(indexer, indexerEnvironment)).toEqual([]);
  expect(readIndexerConfig(indexer).http.port).toBe(8080);
  expect(Object.keys(overlay.environmentOf('Job', 'delegation-migrate', secretStandIn))).toEqual(['DATABASE_URL']);
});

it('gets its settings from docker/compose.yaml', () => {
  const services = readComposition();
  const api = services.get('delegation')?.environment ?? {};
  expect(unknownSettings(api, apiEnvironment)).toEqual([]);
  const indexer = services.get('delegation-indexer')?.environment ?? {};
  expect(unknownSettings(indexer, indexerEnvironment)).toEqual([]);
  expect(readApiConfig(api).database.url).toBe(readIndexerConfig(indexer).database.url);
});
