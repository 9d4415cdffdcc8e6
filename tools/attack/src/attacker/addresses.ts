/** Linux accepts every 127.x.y.z as the local address of a socket: each is another client to the services. */
export const honestAddress = '127.0.0.3';

/**
 * Addresses of attackers.
 *
 * @param block different for each attack, 1 to 255: attacks do not use up the limits of one another
 */
export function attackerAddresses(block: number, count: number): string[] {
  return Array.from({ length: count }, (_none, index) => `127.1.${block}.${index + 1}`);
}
