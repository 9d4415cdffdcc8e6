import { devnetKeys, seedAccounts } from '@waggle/testing';
import { portOf } from '../ports';
import type { Program } from './programs';

/** What a new user needs once everything runs. */
export function readyText(programs: Program[], dataFolder: string): string {
  return [
    '',
    'Waggle is ready.',
    '',
    ...programs.map((program) => row(program.name, program.describe(urlOf(program)))),
    row('data', dataFolder),
    '',
    'Accounts of the devnet, with their posting keys:',
    ...seedAccounts.map((name) => row(name, devnetKeys(name).posting.wif)),
    '',
    'Chat at once, in two more terminals:',
    ...['alice', 'bob'].map((name) => `  npm run chat -- --as ${name}${urlOption('chat', programs)}`),
    '',
    'Get a token of the video log-in:',
    `  npm run video-login -- --as alice${urlOption('video-auth', programs)}`,
    '',
    'Ctrl-C stops everything.',
  ].join('\n');
}

/** What a command must be told where a program is not at its usual port. */
function urlOption(name: string, programs: Program[]): string {
  const program = programs.find((each) => each.name === name);
  const isElsewhere = program !== undefined && portOf(program.port, process.env) !== program.port.byDefault;
  return isElsewhere ? ` --url ${urlOf(program)}` : '';
}

function urlOf({ port }: Program): string {
  return `http://127.0.0.1:${portOf(port, process.env)}`;
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(10)} ${text}`;
}
