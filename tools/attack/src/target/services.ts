/** Limits of a service's pod. */
interface ServiceLimits {
  /** As in `k8s/base/<service>/api.yaml`. */
  memoryBytes: number;
}

const mebibyte = 2 ** 20;

export const services = {
  chat: { memoryBytes: 1_024 * mebibyte },
  delegation: { memoryBytes: 512 * mebibyte },
  'rpc-gateway': { memoryBytes: 1_024 * mebibyte },
  'video-auth': { memoryBytes: 512 * mebibyte },
} as const satisfies Record<string, ServiceLimits>;

export type ServiceName = keyof typeof services;

export const serviceNames: readonly ServiceName[] = ['chat', 'delegation', 'rpc-gateway', 'video-auth'];
