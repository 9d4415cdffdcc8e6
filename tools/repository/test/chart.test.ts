import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exampleIn, kustomize, type Manifest, runHelm } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { z } from 'zod';
import { buildChart, objectsOf } from '../src/chart/build-chart';
import { unknownFieldsOf, validationErrors } from './kubernetes-schemas';

const root = path.resolve(__dirname, '../../..');
const services = ['chat', 'delegation', 'rpc-gateway', 'video-auth'];

let folder: string;
let chart: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waggle-chart-'));
  chart = path.join(folder, 'waggle');
  buildChart(root, chart);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

type Values = Record<string, unknown>;

/** What each service needs at least. */
const nodes = { HIVE_API_NODES: 'https://a.example' };
const minimum: Record<string, Values> = {
  chat: { enabled: true, settings: { ...nodes, BASE_URL: 'https://chat.example' } },
  delegation: { enabled: true, indexer: { settings: nodes } },
  'rpc-gateway': { enabled: true, settings: nodes, indexer: { settings: nodes } },
  'video-auth': { enabled: true, settings: { ...nodes, BASE_URL: 'https://login.example' } },
};

function render(values: Values): { objects: Manifest[]; error: string } {
  const file = path.join(folder, 'values.yaml');
  writeFileSync(file, stringify(values));
  const { output, error } = runHelm(['template', 'waggle', chart, '--namespace', 'waggle', '--values', file]);
  return { objects: error === '' ? objectsOf(output) : [], error };
}

/** The settings of an overlay, such as `api.env`. */
function settingsIn(service: string, file: string): Values {
  const text = readFileSync(path.join(root, 'k8s/overlays/production', service, file), 'utf8');
  return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
}

/** The values that ask for the same as `k8s/overlays/production`. */
function productionValues(service: string): Values {
  const hasIndexer = service === 'delegation' || service === 'rpc-gateway';
  return {
    [service]: {
      enabled: true,
      host: `${service}.example.com`,
      settings: settingsIn(service, 'api.env'),
      ...(hasIndexer && { indexer: { settings: settingsIn(service, 'indexer.env') } }),
    },
  };
}

/** By kind and name, without the expected differences: numbers of Jobs and checksums (Helm), namespaces (Kustomize). */
function comparable(objects: Manifest[]): Map<string, unknown> {
  return new Map(
    objects.map((object) => {
      const text = JSON.stringify(object)
        .replaceAll('"namespace":"waggle",', '')
        .replaceAll(/,"namespace":"waggle"/g, '')
        .replaceAll(/"(\w[\w-]*-migrate)-1"/g, '"$1"')
        .replaceAll(/"annotations":\{"checksum\/config":"[0-9a-f]{64}"\},/g, '');
      const parsed: unknown = JSON.parse(text);
      return [`${object.kind} ${object.metadata.name.replace(/-migrate-1$/, '-migrate')}`, parsed];
    }),
  );
}

it.each(services)('renders the same objects of %s as Kustomize', (service) => {
  const { objects, error } = render(productionValues(service));
  expect(error).toBe('');
  const expected = objectsOf(kustomize(path.join(root, 'k8s/overlays/production', service)));
  expect(comparable(objects)).toEqual(comparable(expected));
});

it('knows every service', () => {
  expect(readdirSync(path.join(root, 'k8s/base'))).toEqual(services);
});

it('passes helm lint', () => {
  expect(runHelm(['lint', '--strict', chart]).error).toBe('');
});

it('has the version of the repository', () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  expect(parse(readFileSync(path.join(chart, 'Chart.yaml'), 'utf8'))).toMatchObject({ version, appVersion: version });
});

it('accepts the example of its README', () => {
  const values = parse(exampleIn('k8s/chart/README.md', 'Deploy a service')) as Values;
  const { objects, error } = render(values);
  expect(error).toBe('');
  const settings = { BASE_URL: 'https://chat.example.com', PORT: '8080' };
  expect(objects.find(({ kind }) => kind === 'ConfigMap')).toMatchObject({ data: settings });
});

it('has a README without links that lead out of the packaged chart', () => {
  const linksOf = (folder: string) =>
    Array.from(
      readFileSync(path.join(folder, 'README.md'), 'utf8').matchAll(/\]\(([^)]*)\)/g),
      ([, link = '']) => link,
    );
  const linksInside = (links: string[]) => links.filter((link) => !link.startsWith('https:'));
  expect(linksInside(linksOf(chart))).toEqual(['values.yaml']);

  const published = path.join(folder, 'published');
  buildChart(root, published, 'https://code.example/waggle/blob/v1.2.3');
  const links = linksOf(published);
  expect(linksInside(links)).toEqual(['values.yaml']);
  const files = links.flatMap(
    (link) => /^https:\/\/code\.example\/waggle\/blob\/v1\.2\.3\/([^#]*)/.exec(link)?.[1] ?? [],
  );
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

it('applies every value', () => {
  const target = { type: 'AverageValue', averageValue: '9' };
  const metric = { type: 'Pods', pods: { metric: { name: 'calls' }, target } };
  const values = {
    image: { registry: 'registry.example/w', tag: '9.9.9', pullSecrets: ['pull'] },
    ingress: { className: 'haproxy', annotations: { a: 'b' } },
    networkPolicy: {
      ingressNamespace: 'edge',
      monitoringNamespace: 'metrics',
      extraEgress: [{ ports: [{ port: 6432 }] }],
    },
    monitoring: { labels: { release: 'prometheus' } },
    caConfigMap: 'authority',
    'rpc-gateway': {
      enabled: true,
      host: 'api.example.org',
      tlsSecret: '',
      secret: 'gateway-urls',
      apiDatabaseUrl: true,
      settings: { ...nodes, LOG_LEVEL: 'debug', TRUSTED_PROXIES: '' },
      routes: 'routes: []',
      replicas: { min: 5, max: 6, metrics: [metric] },
      resources: { limits: { memory: '2Gi' } },
      indexer: { settings: { ...nodes, START_BLOCK: '7' }, resources: { requests: { cpu: 2 } } },
    },
  };
  const { objects, error } = render(values);
  expect(error).toBe('');
  expect(objects.flatMap(validationErrors)).toEqual([]);
  expect(unknownFieldsOf(objects)).toBe('');
  const get = (kind: string, name = 'rpc-gateway') =>
    objects.find((each) => each.kind === kind && each.metadata.name === name);
  const container = {
    image: 'registry.example/w/rpc-gateway:9.9.9',
    resources: { requests: { cpu: '500m', memory: '384Mi' }, limits: { memory: '2Gi' } },
    env: expect.arrayContaining([
      { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: 'gateway-urls', key: 'API_DATABASE_URL' } } },
      { name: 'NODE_EXTRA_CA_CERTS', value: '/etc/ca/ca.crt' },
      { name: 'ROUTES_FILE', value: '/etc/rpc-gateway/routes.yaml' },
    ]),
  };
  const pod = { imagePullSecrets: [{ name: 'pull' }], containers: [expect.objectContaining(container)] };
  expect(get('Deployment')).toMatchObject({ spec: { template: { spec: pod } } });
  expect(get('ConfigMap', 'rpc-gateway-routes')).toMatchObject({ data: { 'routes.yaml': 'routes: []' } });
  expect(get('ConfigMap')).toMatchObject({ data: { LOG_LEVEL: 'debug', PORT: '8080', TRUSTED_PROXIES: '' } });
  expect(get('ConfigMap', 'rpc-gateway-indexer')).toMatchObject({ data: { START_BLOCK: '7' } });
  expect(get('HorizontalPodAutoscaler')).toMatchObject({
    spec: { minReplicas: 5, maxReplicas: 6, metrics: [{ type: 'Resource' }, metric] },
  });
  const ingress = { ingressClassName: 'haproxy', rules: [{ host: 'api.example.org' }] };
  expect(get('Ingress')).toMatchObject({ metadata: { annotations: { a: 'b' } }, spec: ingress });
  expect(get('Ingress')).not.toHaveProperty('spec.tls');
  expect(get('ServiceMonitor')).toMatchObject({ metadata: { labels: { release: 'prometheus' } } });
  const policies = JSON.stringify([get('NetworkPolicy'), get('NetworkPolicy', 'rpc-gateway-api')]);
  for (const text of ['"edge"', '"metrics"', '6432']) expect(policies).toContain(text);
});

it('rolls pods when their settings change, and only then', () => {
  const checksums = (level: string) =>
    render({ 'rpc-gateway': { ...minimum['rpc-gateway'], settings: { ...nodes, LOG_LEVEL: level } } }).objects.flatMap(
      (object) => Array.from(JSON.stringify(object).matchAll(/"checksum\/config":"(\w+)"/g), ([, sum]) => sum),
    );
  const [api, indexer] = checksums('info');
  const [changedApi, sameIndexer] = checksums('debug');
  expect([changedApi === api, sameIndexer === indexer]).toEqual([false, true]);
});

it('leaves out what the cluster does not have', () => {
  const values = {
    ingress: { enabled: false },
    networkPolicy: { enabled: false },
    monitoring: { operator: false, dashboards: false },
    chat: minimum['chat'],
  };
  const kinds = new Set(render(values).objects.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual([
    'ConfigMap',
    'Deployment',
    'HorizontalPodAutoscaler',
    'Job',
    'PodDisruptionBudget',
    'Service',
    'ServiceAccount',
  ]);
});

it.each(services)('attaches %s to a Gateway, by the paths of its Ingress', (service) => {
  const values = { httpRoute: { parentRefs: [{ name: 'public' }] }, [service]: minimum[service] };
  const { objects } = render(values);
  const specOf = (kind: string) => objects.find((object) => object.kind === kind)?.['spec'];
  const { rules } = specOf('HTTPRoute') as { rules: { matches: { path: { type: string; value: string } }[] }[] };
  const ingress = specOf('Ingress') as { rules: { http: { paths: { path: string; pathType: string }[] } }[] };
  const routed = rules.flatMap(({ matches }) => matches.map(({ path: { type, value } }) => `${type} ${value}`));
  const paths = ingress.rules.flatMap(({ http }) => http.paths);
  expect(routed).toEqual(
    paths.map(({ pathType, path: value }) => `${pathType.replace(/^Prefix$/, 'PathPrefix')} ${value}`),
  );
  expect(rules.every(({ matches }) => matches.length <= 8)).toBe(true);
});

const gatewaySpec = z.object({
  gatewayClassName: z.string(),
  listeners: z.array(
    z.strictObject({
      name: z.string(),
      protocol: z.literal('HTTPS'),
      port: z.number(),
      hostname: z.string(),
      tls: z.strictObject({ certificateRefs: z.array(z.object({ name: z.string() })) }),
    }),
  ),
});
const attached = z.object({ parentRefs: z.array(z.unknown()), hostnames: z.array(z.string()) });
const targets = z.looseObject({
  targetRefs: z.array(z.object({ group: z.string(), kind: z.string(), name: z.string() })),
});
const labelled = z.object({ template: z.object({ metadata: z.object({ labels: z.record(z.string(), z.string()) }) }) });

describe.each(['envoy-gateway', 'traefik', 'cilium'])('the Gateway of %s', (controller) => {
  const example = path.join(root, 'k8s/examples', controller);
  const objects = parseAllDocuments(readFileSync(path.join(example, 'gateway.yaml'), 'utf8')).map(
    (document) => document.toJS() as Manifest,
  );
  const gateway = objects.find(({ kind }) => kind === 'Gateway');
  const values = parse(readFileSync(path.join(example, 'waggle.yaml'), 'utf8')) as Values;
  const published = ['chat', 'rpc-gateway'];
  let rendered: Manifest[];
  beforeAll(() => {
    const services = published.map((service) => {
      const [needed, own] = [minimum[service] ?? {}, (values[service] ?? {}) as Values];
      const settings = { ...(needed['settings'] as Values), ...(own['settings'] as Values | undefined) };
      return [service, { ...needed, ...own, settings }] as const;
    });
    const { objects: all, error } = render({ ...values, ...Object.fromEntries(services) });
    expect(error).toBe('');
    rendered = all;
  });
  const renderedKind = (kind: string) => rendered.filter((object) => object.kind === kind);

  it('has a listener with the host and the certificate of each service, to which its HTTPRoute is attached', () => {
    const defaults = parse(readFileSync(path.join(root, 'k8s/chart/values.yaml'), 'utf8')) as Record<string, Values>;
    const { listeners } = gatewaySpec.parse(gateway?.['spec']);
    expect(listeners.map(({ hostname, tls }) => [hostname, tls.certificateRefs])).toEqual(
      published.map((service) => [defaults[service]?.['host'], [{ name: defaults[service]?.['tlsSecret'] }]]),
    );
    expect(renderedKind('HTTPRoute').map(({ spec }) => attached.parse(spec))).toEqual(
      listeners.map(({ hostname }) => ({ parentRefs: [{ name: gateway?.metadata.name }], hostnames: [hostname] })),
    );
    expect(renderedKind('Ingress')).toEqual([]);
  });

  it('is the target of every policy beside it', () => {
    const policies = objects.filter(({ apiVersion }) => apiVersion.startsWith('gateway.envoyproxy.io/'));
    expect(policies).toHaveLength(controller === 'envoy-gateway' ? 2 : 0);
    for (const { spec } of policies)
      expect(targets.parse(spec).targetRefs).toEqual([
        { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: gateway?.metadata.name },
      ]);
  });

  it('reaches the API, and nothing else', () => {
    const own = objects.find(({ kind }) => kind === 'CiliumNetworkPolicy');
    if (own === undefined) {
      const { ingressNamespace } = values['networkPolicy'] as { ingressNamespace: string };
      const admitting = renderedKind('NetworkPolicy').filter((one) => JSON.stringify(one).includes(ingressNamespace));
      expect(admitting.map(({ metadata }) => metadata.name)).toEqual(published.map((service) => `${service}-api`));
      return;
    }
    const { endpointSelector, ingress } = own['spec'] as {
      endpointSelector: { matchLabels: Record<string, string> };
      ingress: { toPorts: { ports: { port: string }[] }[] }[];
    };
    const selected = renderedKind('Deployment').filter(({ spec }) => {
      const { labels } = labelled.parse(spec).template.metadata;
      return Object.entries(endpointSelector.matchLabels).every(([name, value]) => labels[name] === value);
    });
    expect(selected.map(({ metadata }) => metadata.name)).toEqual(published);
    const ports = renderedKind('ConfigMap').map(({ data }) => (data as { PORT?: string }).PORT);
    expect(ports).toContain(ingress[0]?.toPorts[0]?.ports[0]?.port);
  });
});

/** In the short form every fourth: each runs Helm. */
const rejected: [Values, string][] = [
  [{ chat: { enabled: 'always' } }, "'/chat/enabled': got string, want boolean"],
  [{ chat: { hots: 'a.example' } }, "'/chat': additional properties 'hots' not allowed"],
  [{ chat: { host: 'https://a.example' } }, "'/chat/host': 'https://a.example' does not match"],
  [{ chat: { replicas: { min: 0 } } }, "'/chat/replicas/min': minimum: got 0, want 1"],
  [{ chat: { settings: { PORT: 80 } } }, "'/chat/settings/PORT': got number, want string"],
  [{ chat: { settings: { port: '80' } } }, "'port' does not match pattern"],
  [{ delegation: { routes: '' } }, "'/delegation/routes': false schema"],
  [{ chat: { indexer: {} } }, "'/chat/indexer': false schema"],
  [{ chat: { resources: { limits: { memory: '1G' } } } }, "'/chat/resources/limits/memory': '1G' does not match"],
  [{ chat: { enabled: true } }, 'chat.settings lacks BASE_URL'],
  [{ chat: { ...minimum['chat'], replicas: { max: 2 } } }, 'replicas of chat: min 3 is more than max 2'],
  [{ image: { tag: 'a b' } }, "'/image/tag': 'a b' does not match"],
  [{ image: { tag: 1 } }, "'/image/tag': got number, want string"],
  [{ image: { registry: 'https://a.example' } }, "'/image/registry': 'https://a.example' does not match"],
  [{ caConfigMap: 'a_b' }, "'/caConfigMap': 'a_b' does not match"],
  [{ httpRoute: { parentRefs: [{}] } }, "'/httpRoute/parentRefs/0': missing property 'name'"],
  [{ 'rpc-gateway': { routes: {} } }, "'/rpc-gateway/routes': got object, want string"],
  [
    { delegation: { enabled: true, indexer: { settings: { DATABASE_URL: 'postgres://' } } } },
    'DATABASE_URL of delegation is secret: put it into the secret delegation',
  ],
];

it.each(rejected.filter((_each, index) => isLong || index % 4 === 0))('rejects %j', (values, message) => {
  expect(render(values).error).toContain(message);
});
