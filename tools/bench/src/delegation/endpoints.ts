/** The documented endpoints, by figure. */
export const endpointPaths = {
  account: '/api/deleg/account',
  in: '/api/deleg/in',
  out: '/api/deleg/out',
  'history-in': '/api/deleg/history/in',
  'history-out': '/api/deleg/history/out',
} as const;

export type EndpointName = keyof typeof endpointPaths;

export const endpointNames = ['account', 'in', 'out', 'history-in', 'history-out'] as const satisfies EndpointName[];

/** Returns the target, to append an account name to. */
export function targetOf(name: EndpointName): string {
  return `${endpointPaths[name]}?account=`;
}
