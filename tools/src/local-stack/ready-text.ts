import { devnetKeys, seedAccounts } from '@waggle/testing';
import { portOf } from '../ports';
import type { Program } from './programs';

/** What a new user needs once everything runs. */
export function readyText(programs: Program[], dataFolder: string): string {
  const chat = programs.find(({ name }) => name === 'chat');
  const isElsewhere = chat !== undefined && portOf(chat.port, process.env) !== chat.port.byDefault;
  const url = isElsewhere ? ` --url ${urlOf(chat)}` : '';
  return [
    '',
    'Waggle is ready.',
    '',
    ...programs.flatMap(({ name, port, describe }) =>
      describe === undefined ? [] : row(name, describe(urlOf({ port }))),
    ),
    row('data', dataFolder),
    '',
    'Accounts of the devnet, with their posting keys:',
    ...seedAccounts.map((name) => row(name, devnetKeys(name).posting.wif)),
    '',
    'Chat at once, in two more terminals:',
    ...['alice', 'bob'].map((name) => `  npm run chat -- --as ${name}${url}`),
    '',
    ...programs.flatMap(({ port, example }) => {
      if (example === undefined) return [];
      const { what, line } = example(urlOf({ port }));
      return [`${what}:`, `  ${line}`, ''];
    }),
    'Ctrl-C stops everything.',
  ].join('\n');
}

function urlOf({ port }: Pick<Program, 'port'>): string {
  return `http://127.0.0.1:${portOf(port, process.env)}`;
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(10)} ${text}`;
}
