// Linux accepts every 127.x.y.z as the local address of a socket. To the services, each is another client.

export const honestAddress = '127.0.0.3';

/**
 * Returns addresses of attackers.
 *
 * @param block 1 to 255, different for each attack so that attacks do not use up each other's limits
 */
export function attackerAddresses(block: number, count: number): string[] {
  return Array.from({ length: count }, (_none, index) => `127.1.${block}.${index + 1}`);
}
