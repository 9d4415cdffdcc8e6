/** What is known of a service before it runs. */
export interface ServiceLimits {
  /** Its limit in `k8s/base/<service>/api.yaml`, in bytes. */
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
