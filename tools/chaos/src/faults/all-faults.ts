import { clientFaults } from './clients';
import { type Fault } from './fault';
import { instanceFaults } from './instances';
import { postgresFaults } from './postgres';
import { redisFaults } from './redis';

const faults: readonly Fault[] = [...instanceFaults, ...redisFaults, ...postgresFaults, ...clientFaults];

/** The names of all kinds of faults. */
export const faultNames: readonly string[] = faults.map(({ name }) => name);

/** Returns the faults in the order of the names. */
export function faultsNamed(names: readonly string[]): Fault[] {
  return names.flatMap((name) => faults.filter((fault) => fault.name === name));
}
