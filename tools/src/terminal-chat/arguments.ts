import { parseArgs } from 'node:util';
import { accountName } from '@waggle/contracts';
import { devnetKeys, seedAccounts } from '@waggle/testing';
import { PlainError } from '../plain-error';
import { chatPort, portOf } from '../ports';

export interface ChatArguments {
  account: string;
  partner: string;
  /** Base URL of the chat service, without a slash at the end. */
  url: string;
  /** Posting or active key, in wallet import format. */
  key: string;
}

const usage = 'npm run chat -- --as alice [--to bob] [--url http://127.0.0.1:3000] [--key WIF]';

/** @throws PlainError saying what is wrong with the arguments. */
export function readArguments(args: string[], environment: NodeJS.ProcessEnv): ChatArguments {
  const { as, to, url, key } = parse(args);
  if (as === undefined) throw new PlainError(`Say who you are: ${usage}`);
  const account = requireAccount(as);
  return {
    account,
    partner: requireAccount(to ?? (account === 'alice' ? 'bob' : 'alice')),
    url: requireUrl(url ?? `http://127.0.0.1:${portOf(chatPort, environment)}`),
    key: key ?? devnetKey(account),
  };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args, options: { as: text, to: text, url: text, key: text } }).values;
  } catch (error) {
    throw new PlainError(`${error instanceof Error ? error.message : String(error)} Usage: ${usage}`);
  }
}

function requireAccount(name: string): string {
  const account = accountName.safeParse(name);
  if (account.success) return account.data;
  throw new PlainError(`"${name}" is not an account name.`);
}

function requireUrl(text: string): string {
  const isHttp = URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
  if (!isHttp) throw new PlainError(`"${text}" is not the URL of a chat service, such as http://127.0.0.1:3000.`);
  return text.replace(/\/+$/, '');
}

function devnetKey(account: string): string {
  const names: readonly string[] = seedAccounts;
  if (names.includes(account)) return devnetKeys(account).posting.wif;
  throw new PlainError(`${account} is not an account of the devnet: give its posting key with --key.`);
}
