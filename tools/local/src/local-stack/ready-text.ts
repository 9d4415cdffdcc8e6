import { devnetKeys, seedAccounts } from '@waggle/devnet';
import { portOf } from '../ports';
import { type Program } from './programs';

/** Returns what a new user needs to know when everything runs. */
export function readyText(programs: Program[], dataFolder: string): string {
  return [
    '',
    'Waggle is ready.',
    ...programs.flatMap(({ port, page }) =>
      page === undefined ? [] : [`Open ${urlOf({ port })}${page} and sign in by one click.`],
    ),
    '',
    ...programs.flatMap(({ name, port, describe }) =>
      describe === undefined ? [] : row(name, describe(urlOf({ port }))),
    ),
    row('data', dataFolder),
    '',
    'Accounts of the devnet, with their posting keys:',
    ...seedAccounts.map((name) => row(name, devnetKeys(name).posting.wif)),
    '',
    ...programs
      .flatMap((program) => program.examples?.(urlOf(program), urlOption(program)) ?? [])
      .flatMap(({ what, lines }) => [`${what}:`, ...lines.map((line) => `  ${line}`), '']),
    'Ctrl-C stops everything.',
  ].join('\n');
}

/** The option that a command needs if a program has another port than usual. */
function urlOption({ port }: Program): string {
  return portOf(port, process.env) === port.byDefault ? '' : ` --url ${urlOf({ port })}`;
}

function urlOf({ port }: Pick<Program, 'port'>): string {
  return `http://127.0.0.1:${portOf(port, process.env)}`;
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(11)} ${text}`;
}
