import { isPortFree } from '@waggle/testing';
import { PlainError } from '../plain-error';
import type { Program } from './programs';

/** @throws PlainError when the variable is not a port. */
export function portOf({ name, port: { variable, byDefault } }: Program): number {
  const text = process.env[variable] ?? '';
  if (text === '') return byDefault;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new PlainError(`${variable}=${text} is not a port for the ${name}: give a number from 1 to 65535.`);
}

/** @throws PlainError naming the variable that changes the port. */
export async function requireFreePort(program: Program): Promise<void> {
  const port = portOf(program);
  if (await isPortFree(port)) return;
  const { name, port: { variable } } = program; // prettier-ignore
  throw new PlainError(
    `Port ${port} for the ${name} is taken. Choose another one: ${variable}=${port === 65_535 ? 1024 : port + 1} npm start`,
  );
}
