import { parseArgs } from 'node:util';
import { PlainError, withUsage } from '@waggle/running';
import { devnetKey, requireAccount, requireUrl } from '../accounts-and-urls';
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

/** @throws PlainError if an argument is missing or invalid */
export function readArguments(args: string[], environment: NodeJS.ProcessEnv): ChatArguments {
  const text = { type: 'string' } as const;
  const options = { as: text, to: text, url: text, key: text };
  const { as, to, url, key } = withUsage(` Usage: ${usage}`, () => parseArgs({ args, options })).values;
  if (as === undefined) throw new PlainError(`--as is missing. Usage: ${usage}`);
  const account = requireAccount(as);
  return {
    account,
    partner: requireAccount(to ?? (account === 'alice' ? 'bob' : 'alice')),
    url: requireUrl(url ?? `http://127.0.0.1:${portOf(chatPort, environment)}`, 'chat', 'http://127.0.0.1:3000'),
    key: key ?? devnetKey(account),
  };
}
