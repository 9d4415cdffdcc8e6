import { parseArgs } from 'node:util';
import { videoAuthErrorBody, videoLogin, type VideoLoginBody } from '@waggle/contracts';
import { exitOnError, PlainError, withUsage } from '@waggle/running';
import { devnetKey, requireAccount, requireUrl, signText } from './accounts-and-urls';
import { portOf, videoAuthPort } from './ports';

const usage = 'npm run video-login -- --as alice [--url http://127.0.0.1:3002] [--key WIF]';

// This process ends with `run.mjs`, which started it.
process.once('disconnect', () => process.exit(0));

/** Logs in to video-auth by its documented interface and prints each step. */
async function main(): Promise<void> {
  const { account, url, key } = readArguments(process.argv.slice(2));
  const text = JSON.stringify({ account, ts: new Date().toISOString() });
  const body: VideoLoginBody = {
    username: account,
    network: 'hive',
    authority_type: 'posting',
    proof_payload: text,
    proof: signText(text, key),
  };
  const login = await post(url, 'login_singleton', { 'Content-Type': 'application/json' }, JSON.stringify(body));
  const token = videoLogin.safeParse(login.json).data?.access_token;
  if (token === undefined) {
    const { errorType, reason } = videoAuthErrorBody.parse(login.json);
    throw new PlainError(`${account} cannot log in: ${errorType}, ${reason}`);
  }
  const check = await post(url, 'check', { Authorization: `Bearer ${token}` });
  console.log(`Signed:  ${text}`);
  console.log(`Token:   ${token}`);
  console.log(`Claims:  ${Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()}`);
  console.log(`Check:   ${check.status} ${JSON.stringify(check.json)}`);
  process.exit(0);
}

async function post(url: string, path: string, headers: Record<string, string>, body?: string) {
  const request = { method: 'POST', headers, ...(body === undefined ? {} : { body }) };
  const response = await fetch(`${url}/api/v1/auth/${path}`, request).catch(() => {
    throw new PlainError(`No video log-in responds at ${url}; npm start runs one.`);
  });
  const json: unknown = await response.json();
  return { status: response.status, json };
}

function readArguments(args: string[]) {
  const text = { type: 'string' } as const;
  const options = { as: text, url: text, key: text };
  const { as, url, key } = withUsage(` Usage: ${usage}`, () => parseArgs({ args, options })).values;
  if (as === undefined) throw new PlainError(`--as is missing. Usage: ${usage}`);
  const account = requireAccount(as);
  const usualUrl = `http://127.0.0.1:${portOf(videoAuthPort, process.env)}`;
  return {
    account,
    url: requireUrl(url ?? usualUrl, 'video log-in', 'http://127.0.0.1:3002'),
    key: key ?? devnetKey(account),
  };
}

exitOnError(main());
