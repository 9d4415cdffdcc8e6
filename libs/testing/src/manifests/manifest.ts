import { z } from 'zod';

const names = z.record(z.string(), z.string());

/** A Kubernetes object: the fields of all kinds, and any others. */
export const manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    labels: names.optional(),
    annotations: names.optional(),
  }),
});

export type Manifest = z.infer<typeof manifest>;

const reference = z.object({ name: z.string(), key: z.string() });

const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()).optional(),
  env: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().optional(),
        valueFrom: z.object({ secretKeyRef: reference }).optional(),
      }),
    )
    .default([]),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })).default([]),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })).default([]),
});

const volume = z.looseObject({
  name: z.string(),
  secret: z
    .looseObject({ secretName: z.string(), items: z.array(z.object({ key: z.string(), path: z.string() })) })
    .optional(),
});

/** The part of a Deployment or Job that describes its pods. */
export const workload = manifest.extend({
  spec: z.looseObject({
    template: z.looseObject({
      metadata: z.looseObject({ labels: names }),
      spec: z.looseObject({ containers: z.array(container).min(1), volumes: z.array(volume).default([]) }),
    }),
  }),
});

export type Workload = z.infer<typeof workload>;

export const configMap = manifest.extend({ data: names });
