import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { documentedMetrics, exampleIn, type Manifest, Overlay, type Workload } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { validationErrors, unknownFieldsOf } from './kubernetes-schemas';
import { checkExpression } from './promql';

// kubectl and the compiler are slow on a busy machine.
const root = path.resolve(__dirname, '../../..');
const apps = ['chat', 'delegation', 'video-auth', 'rpc-gateway'];
const selector = z.object({ matchLabels: z.record(z.string(), z.string()) });
const policy = z.looseObject({
  spec: z.looseObject({
    podSelector: selector,
    policyTypes: z.array(z.string()),
    ingress: z.array(z.looseObject({ from: z.array(z.object({ namespaceSelector: selector })) })).default([]),
    egress: z
      .array(
        z.looseObject({ to: z.array(z.unknown()).default([]), ports: z.array(z.looseObject({ port: z.number() })) }),
      )
      .default([]),
  }),
});
const textOf = (value: unknown) => JSON.stringify(value);

/** The paths that the gateway forwards by default. */
const routeFile = readFileSync(path.join(root, 'apps/rpc-gateway/routes.yaml'), 'utf8');
const pathPrefixes = Object.keys(
  z.looseObject({ paths: z.record(z.string(), z.unknown()) }).parse(parse(routeFile)).paths,
);

const built = new Map<string, Overlay>();
/** Builds an overlay of `k8s/overlays` the first time that a test needs it. */
function overlayOf(name: string): Overlay {
  const overlay = built.get(name) ?? Overlay.build(name);
  built.set(name, overlay);
  return overlay;
}

describe.each(['local', 'production'])('the overlay %s', (name) => {
  let overlay: Overlay;
  beforeAll(() => {
    overlay = overlayOf(name);
  });
  const settings = readFileSync(path.join(root, 'apps/chat/.env.example'), 'utf8');
  const drainDelaySeconds = Number(/^# DRAIN_DELAY_SECONDS=(\d+)$/m.exec(settings)?.[1]);
  const ours = () =>
    overlay.workloads.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/part-of'] === 'waggle');

  it('is valid for Kubernetes, without unknown fields', () => {
    expect(overlay.manifests.flatMap(validationErrors)).toEqual([]);
    expect(unknownFieldsOf(overlay.manifests)).toBe('');
  });

  it('runs every process of every service, from one image per service', () => {
    expect(
      ours()
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
        .sort(),
    ).toEqual([
      'Deployment chat',
      'Deployment delegation',
      'Deployment delegation-indexer',
      'Deployment rpc-gateway',
      'Deployment rpc-gateway-indexer',
      'Deployment video-auth',
      'Job chat-migrate',
      'Job delegation-migrate',
      'Job rpc-gateway-migrate',
      'Job video-auth-migrate',
    ]);
    for (const { metadata, spec } of ours()) {
      const app = metadata.labels?.['app.kubernetes.io/name'] ?? '';
      const [container] = spec.template.spec.containers;
      expect(container?.image).toMatch(new RegExp(`waggle/${app}:`));
      const script = container?.args?.[0] ?? 'dist/main.js';
      const source = path.join(root, 'apps', app, script.replace('dist', 'src').replace(/js$/, 'ts'));
      expect([source, existsSync(source)]).toEqual([source, true]);
    }
  });

  it('meets the restricted Pod Security Standard, and has memory limits', () => {
    for (const { spec } of overlay.workloads) {
      const pod = spec.template.spec;
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const container of pod.containers)
        expect(container).toMatchObject({
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          resources: { requests: { cpu: expect.any(String) }, limits: { memory: expect.any(String) } },
        });
    }
  });

  it('loses no request in an update: surges first, drains one pod at a time, and gives it the drain delay and 35 s', () => {
    for (const { kind, spec } of ours().filter((one) => one.kind === 'Deployment')) {
      expect(kind).toBe('Deployment');
      expect(spec['strategy']).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
      const probe = (of: string) => ({ httpGet: { path: of, port: 'http' } });
      expect(spec.template.spec.containers[0]).toMatchObject({
        livenessProbe: probe('/health/live'),
        readinessProbe: probe('/health/ready'),
      });
      const graceSeconds = Number(spec.template.spec['terminationGracePeriodSeconds']);
      expect(graceSeconds).toBeGreaterThan(35 + drainDelaySeconds);
      // The next pod is not stopped before the previous one is drained.
      expect(Number(spec['minReadySeconds'])).toBeGreaterThanOrEqual(graceSeconds);
    }
  });

  it('selects the intended pods with every selector', () => {
    const labels = ours().map(({ spec }) => spec.template.metadata.labels);
    const selected = (selector: Record<string, string>) =>
      labels.filter((all) => Object.entries(selector).every(([key, value]) => all[key] === value)).length;
    for (const app of apps) {
      const api = { 'app.kubernetes.io/name': app, 'app.kubernetes.io/component': 'api' };
      expect(selected(api)).toBe(1);
      expect(overlay.get('Service', app)['spec']).toMatchObject({ selector: api });
      expect(overlay.get('PodDisruptionBudget', app)['spec']).toMatchObject({ selector: { matchLabels: api } });
      expect(overlay.get('HorizontalPodAutoscaler', app)['spec']).toMatchObject({ scaleTargetRef: { name: app } });
    }
  });

  it('allows the traffic that each role needs, and no other', () => {
    const policies = overlay.manifests
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .map((one) => policy.parse(one).spec);
    const reach = ours().map(({ metadata, spec }) => {
      const { labels } = spec.template.metadata;
      const own = policies.filter(({ podSelector }) =>
        Object.entries(podSelector.matchLabels).every(([key, value]) => labels[key] === value),
      );
      // Kubernetes allows all traffic that no policy covers.
      expect(new Set(own.flatMap(({ policyTypes }) => policyTypes))).toEqual(new Set(['Ingress', 'Egress']));
      const callers = own.flatMap(({ ingress }) =>
        ingress.flatMap(({ from }) =>
          from.map(({ namespaceSelector }) => namespaceSelector.matchLabels['kubernetes.io/metadata.name']),
        ),
      );
      const ports = own.flatMap(({ egress }) => egress.flatMap((rule) => rule.ports.map(({ port }) => port)));
      return [metadata.name, `${callers.join(', ')} → ${[...new Set(ports)].join(', ')}`];
    });
    const [dns, postgres, redis, https] = [53, 5432, 6379, 443];
    const all = [dns, postgres, ...(name === 'local' ? [8091] : [])];
    const [published, internal] = ['monitoring, ingress-nginx', 'monitoring'];
    const role = (callers: string, ...ports: number[]) => `${callers} → ${[...all, ...ports].join(', ')}`;
    expect(Object.fromEntries(reach)).toEqual({
      chat: role(published, redis, https),
      'chat-migrate': role(internal),
      delegation: role(published),
      'delegation-indexer': role(internal, https),
      'delegation-migrate': role(internal),
      'rpc-gateway': role(published, redis, https),
      'rpc-gateway-indexer': role(internal, https),
      'rpc-gateway-migrate': role(internal),
      'video-auth': role(published, redis, https),
      'video-auth-migrate': role(internal),
    });
    // HTTPS only to public addresses, so not to the cluster's API server.
    const outside = policies.flatMap(({ egress }) =>
      egress.filter(({ ports }) => ports.some(({ port }) => port === https)),
    );
    expect(outside).toHaveLength(5);
    for (const { to } of outside)
      expect(to).toEqual([
        {
          ipBlock: {
            cidr: '0.0.0.0/0',
            except: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']),
          },
        },
        { ipBlock: { cidr: '::/0', except: expect.arrayContaining(['fc00::/7', 'fe80::/10']) } },
      ]);
  });

  it('only refers to secrets', () => {
    expect(overlay.manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const maps = overlay.manifests.filter(({ kind }) => kind === 'ConfigMap').map((map) => textOf(map['data']));
    expect(maps.filter((text) => /DATABASE_URL|REDIS_URL|PRIVATE KEY|:\/\/[^/"]*:[^/"]*@/.test(text))).toEqual([]);
  });

  it('routes every path of the APIs, but not health and metrics', () => {
    const routed = (app: string, url: string) => {
      const paths = [...textOf(overlay.get('Ingress', app)).matchAll(/"path":"([^"]+)","pathType":"(\w+)"/g)];
      return paths.some(
        ([, prefix = '', type]) =>
          url === prefix || (type === 'Prefix' && url.startsWith(`${prefix.replace(/\/$/, '')}/`)),
      );
    };
    const described = z.object({ paths: z.record(z.string(), z.unknown()) });
    const more: Record<string, string[]> = {
      chat: ['/', '/ws', '/docs'],
      delegation: ['/docs'],
      'rpc-gateway': pathPrefixes,
      'video-auth': ['/api/v1/docs'],
    };
    for (const app of apps) {
      const file = readFileSync(path.join(root, 'docs/api', `${app}.openapi.json`), 'utf8');
      const urls = [...Object.keys(described.parse(JSON.parse(file)).paths), ...(more[app] ?? [])];
      expect(urls.filter((url) => !routed(app, url))).toEqual([]);
      expect(['/metrics', '/health/live', '/health/ready'].filter((url) => routed(app, url))).toEqual([]);
    }
  });
});

/** Builds the production overlay of a service with components. */
function productionWith(app: string, components: readonly string[]): Overlay {
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-overlay-'));
  try {
    const k8s = path.relative(realpathSync(folder), path.join(root, 'k8s'));
    const kustomization = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: [`${k8s}/overlays/production/${app}`],
      components: components.map((component) => `${k8s}/components/${component}`),
    };
    writeFileSync(path.join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
    return Overlay.build(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the chat scales by its connections', () => {
  const perPod = { connections: '10000', frames: '5000' };

  it('with Prometheus Adapter, by metrics that its rules give', () => {
    const overlay = productionWith('chat', ['connections']);
    const autoscaler = overlay.get('HorizontalPodAutoscaler', 'chat');
    expect(validationErrors(autoscaler)).toEqual([]);
    expect(unknownFieldsOf([autoscaler])).toBe('');
    const metric = (name: string, averageValue: string) => ({
      type: 'Pods',
      pods: { metric: { name }, target: { type: 'AverageValue', averageValue } },
    });
    const metrics = [metric('chat_connections', perPod.connections), metric('chat_frames_per_second', perPod.frames)];
    expect(autoscaler).toMatchObject({ spec: { metrics: [{ type: 'Resource' }, ...metrics] } });
    const rules = readFileSync(path.join(root, 'k8s/examples/prometheus-adapter/values.yaml'), 'utf8');
    const { custom } = adapterValues.parse(parse(rules)).rules;
    const names = custom.map(({ seriesQuery, name }) => name?.as ?? seriesQuery.split('{')[0]);
    expect(names).toEqual(metrics.map(({ pods }) => pods.metric.name));
    const documented = documentedMetrics('chat');
    // Prometheus' operator adds the pod to each series.
    const queries = custom.map(({ seriesQuery }) => seriesQuery.replace(', pod!=""', ''));
    expect(queries.flatMap((query) => checkExpression(query, documented))).toEqual([]);
  });

  it('with KEDA, whose autoscaler replaces the other', () => {
    const overlay = productionWith('chat', ['keda']);
    expect(overlay.manifests.map(({ kind }) => kind)).not.toContain('HorizontalPodAutoscaler');
    const { spec } = scaledObject.parse(overlay.get('ScaledObject', 'chat'));
    const { minReplicas, maxReplicas, behavior } = autoscalerSpec.parse(
      overlayOf('production/chat').get('HorizontalPodAutoscaler', 'chat'),
    ).spec;
    expect(spec).toMatchObject({ minReplicaCount: minReplicas, maxReplicaCount: maxReplicas });
    expect(spec.advanced.horizontalPodAutoscalerConfig.behavior).toEqual(behavior);
    expect(overlay.get('Deployment', spec.scaleTargetRef.name).kind).toBe('Deployment');
    const queries = spec.triggers.filter(({ type }) => type === 'prometheus').map(({ metadata }) => metadata);
    expect(queries.map(({ threshold }) => threshold)).toEqual([perPod.connections, perPod.frames]);
    const documented = documentedMetrics('chat');
    expect(queries.flatMap(({ query = '' }) => checkExpression(query, documented))).toEqual([]);
  });
});

const adapterValues = z.object({
  rules: z.object({
    custom: z.array(z.looseObject({ seriesQuery: z.string(), name: z.object({ as: z.string() }).optional() })),
  }),
});
const autoscalerSpec = z.looseObject({
  spec: z.looseObject({ minReplicas: z.number(), maxReplicas: z.number(), behavior: z.unknown() }),
});
const scaledObject = z.looseObject({
  spec: z.looseObject({
    scaleTargetRef: z.object({ name: z.string() }),
    advanced: z.object({ horizontalPodAutoscalerConfig: z.object({ behavior: z.unknown() }) }),
    triggers: z.array(z.looseObject({ type: z.string(), metadata: z.record(z.string(), z.string()) })),
  }),
});

// In the short form of the service that also has an indexer and Redis.
describe.each(isLong ? apps : ['rpc-gateway'])('the production overlay of %s with all optional components', (app) => {
  const production = () => overlayOf(`production/${app}`);
  let overlay: Overlay;
  beforeAll(() => {
    overlay = productionWith(app, ['traces', 'no-operator', 'api-database', 'ca']);
  });

  const portsOf = ({ manifests }: Overlay) =>
    textOf(manifests.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === app)?.['spec']);

  it('is valid for Kubernetes', () => {
    expect(overlay.manifests.flatMap(validationErrors)).toEqual([]);
  });

  it('allows egress to a trace collector, as every overlay that exports traces', () => {
    for (const each of [production(), overlayOf('local')]) {
      const exportsTraces = each.manifests.some(
        ({ kind, metadata, data }) =>
          kind === 'ConfigMap' && metadata.name.startsWith(app) && textOf(data).includes('OTEL_EXPORTER_OTLP_ENDPOINT'),
      );
      expect(portsOf(each).includes('"port":4318')).toBe(exportsTraces);
    }
    expect(portsOf(overlay)).toContain('{"ports":[{"port":4318,"protocol":"TCP"}]}');
  });

  it('has no objects of the Prometheus operator', () => {
    const left = overlay.manifests.map(({ apiVersion }) => apiVersion.split('/')[0]);
    expect(left).not.toContain('monitoring.coreos.com');
    expect(left).toHaveLength(production().manifests.length - 2);
  });

  it('gives only the API another database URL, and lets every role trust a certificate authority', () => {
    /** The variables of each role, with the keys of the secret for those that come from it. */
    const environments = (of: Overlay) =>
      of.workloads.map(({ kind, metadata }) => {
        const role = metadata.labels?.['app.kubernetes.io/component'] ?? '';
        return [role, of.environmentOf(kind === 'Job' ? 'Job' : 'Deployment', metadata.name, (key) => key)] as const;
      });
    const before = environments(production());
    expect(before.length).toBeGreaterThan(1);
    expect(environments(overlay)).toEqual(
      before.map(([role, variables]) => {
        const url = role === 'api' ? 'API_DATABASE_URL' : 'DATABASE_URL';
        return [role, { ...variables, DATABASE_URL: url, NODE_EXTRA_CA_CERTS: '/etc/ca/ca.crt' }];
      }),
    );
    // The port of PgBouncer.
    expect(portsOf(overlay)).toContain('{"ports":[{"port":6432,"protocol":"TCP"}]}');
    for (const { spec } of overlay.workloads) {
      const { containers, volumes } = spec.template.spec;
      const mount = containers[0]?.volumeMounts.find(({ mountPath }) => mountPath === '/etc/ca');
      expect(volumes.find(({ name }) => name === mount?.name)).toMatchObject({ configMap: { name: 'ca' } });
    }
    expect([...overlay.secretFilesOf(app)]).toEqual([...production().secretFilesOf(app)]);
  });
});

it('can mount a custom route table into the gateway', () => {
  const lists = z.looseObject({
    components: z.array(z.unknown()).default([]),
    configMapGenerator: z.array(z.unknown()),
  });
  const k8s = mkdtempSync(path.join(tmpdir(), 'waggle-routes-'));
  try {
    cpSync(path.join(root, 'k8s'), k8s, { recursive: true });
    const folder = path.join(k8s, 'overlays/production/rpc-gateway');
    cpSync(path.join(root, 'apps/rpc-gateway/routes.yaml'), path.join(folder, 'routes.yaml'));
    const file = path.join(folder, 'kustomization.yaml');
    const production = lists.parse(parse(readFileSync(file, 'utf8')));
    const added = lists.parse(parse(exampleIn('k8s/README.md', 'A route table of your own')));
    const components = [...production.components, ...added.components];
    const configMapGenerator = [...production.configMapGenerator, ...added.configMapGenerator];
    writeFileSync(file, JSON.stringify({ ...production, components, configMapGenerator }));
    const overlay = Overlay.build(folder);
    expect(overlay.manifests.flatMap(validationErrors)).toEqual([]);
    const api = overlay.workloads.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'rpc-gateway',
    );
    const { containers, volumes } = api?.spec.template.spec ?? { containers: [], volumes: [] };
    const [mount] = containers[0]?.volumeMounts ?? [];
    const [volume] = volumes.map((one) => z.object({ configMap: z.object({ name: z.string() }) }).parse(one));
    const data = z.record(z.string(), z.string()).parse(overlay.get('ConfigMap', volume?.configMap.name ?? '')['data']);
    const environment = overlay.environmentOf('Deployment', 'rpc-gateway', (key) => key);
    expect(Object.keys(data).map((key) => `${mount?.mountPath}/${key}`)).toEqual([environment['ROUTES_FILE']]);
  } finally {
    rmSync(k8s, { recursive: true });
  }
});

it('the local overlay evicts only cached responses from Redis, and its secrets name existing servers', () => {
  const local = overlayOf('local');
  const secrets = readFileSync(path.join(root, 'k8s/overlays/local/secrets.sh'), 'utf8');
  const redisOf = (app: string) =>
    new RegExp(`^secret ${app} .*REDIS_URL=redis://([\\w-]+):6379`, 'm').exec(secrets)?.[1];
  const policyOf = (app: string) => {
    const name = redisOf(app) ?? '';
    expect(local.get('Service', name)['spec']).toMatchObject({ selector: { 'app.kubernetes.io/name': name } });
    const { spec } = local.workloads.find(({ metadata }) => metadata.name === name) ?? {};
    return spec?.template.spec.containers[0]?.args?.join(' ');
  };
  expect(policyOf('rpc-gateway')).toMatch(/--maxmemory \d+mb --maxmemory-policy allkeys-lru$/);
  for (const app of ['chat', 'video-auth'])
    expect(policyOf(app)).toMatch(/--maxmemory \d+mb --maxmemory-policy noeviction$/);
  expect(redisOf('delegation')).toBeUndefined();
});

it('the snapshot import starts without an indexer', () => {
  const folder = path.join(root, 'k8s/examples/rpc-gateway-import');
  const production = overlayOf('production/rpc-gateway').manifests;
  const isIndexer = ({ kind, metadata }: Manifest) => kind === 'Deployment' && metadata.name === 'rpc-gateway-indexer';
  const withoutIndexer = production.map((one) =>
    isIndexer(one) ? { ...one, spec: { ...(one['spec'] as object), replicas: 0 } } : one,
  );
  expect(Overlay.build(folder).manifests).toEqual(withoutIndexer);
  // Applying the production overlay afterwards starts it.
  expect(production.find(isIndexer)?.['spec']).toMatchObject({ replicas: 1 });
  const job = parse(readFileSync(path.join(folder, 'job.yaml'), 'utf8')) as Workload;
  const imageOf = (one?: Workload) => one?.spec.template.spec.containers[0]?.image;
  expect(imageOf(job)).toBe(imageOf(overlayOf('production/rpc-gateway').workloads[0]));
  expect([...validationErrors(job), unknownFieldsOf([job])]).toEqual(['']);
});

it('the Redis Cluster by an operator has the settings that the services need', () => {
  const text = readFileSync(path.join(root, 'k8s/examples/redis-operator/cluster.yaml'), 'utf8');
  const [cluster, settings] = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
  const role = z.looseObject({ redisConfig: z.looseObject({ additionalRedisConfig: z.string() }) });
  const { redisLeader, redisFollower } = z
    .looseObject({ redisLeader: role, redisFollower: role })
    .parse(cluster?.['spec']);
  for (const { redisConfig } of [redisLeader, redisFollower])
    expect(redisConfig.additionalRedisConfig).toBe(settings?.metadata.name);
  expect(settings?.kind).toBe('ConfigMap');
  expect(validationErrors(settings as Manifest)).toEqual([]);
  const data = z.record(z.string(), z.string()).parse(settings?.['data']);
  const lines = data['redis-additional.conf']?.split('\n');
  const documents = ['apps/chat/README.md', 'k8s/README.md'].map((file) => readFileSync(path.join(root, file), 'utf8'));
  for (const needed of ['cluster-require-full-coverage no', 'maxmemory-policy noeviction']) {
    expect(lines).toContain(needed);
    expect(documents.join().replaceAll(/\s+/g, ' ')).toContain(needed);
  }
});

it.each(apps)('%s can be deployed alone', (app) => {
  const names = overlayOf(`production/${app}`).manifests.map(({ metadata }) => metadata.name);
  expect(names.filter((name) => !name.startsWith(app))).toEqual([]);
});

it('detects fields of a wrong type and unknown fields', () => {
  const made = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'chat' } };
  expect(validationErrors({ ...made, spec: { ports: [{ port: 'http' }] } })).toHaveLength(1);
  expect(unknownFieldsOf([{ ...made, spec: { selectors: {} } }])).toContain('selectors');
});
