import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { defaultChatLimits } from '@waggle/contracts';
import { ConfigurationError, databaseUrl, loadConfiguration, wholeNumber } from '@waggle/service';
import { z } from 'zod';
import { AccountMapping } from './account-mapping';
import { type ImportRecord } from './import-record';
import { type ImportReport } from './import-report';
import { importChats } from './importer';
import { readMattermost } from './mattermost';
import { readRocketChat } from './rocket-chat';

const environmentAndArguments = z.object({
  DATABASE_URL: databaseUrl,
  MESSAGE_MAX_CHARACTERS: wholeNumber({ min: 1 }).default(defaultChatLimits.messageCharacters),
  NAME_MAX_CHARACTERS: wholeNumber({ min: 1 }).default(defaultChatLimits.nameCharacters),
  GROUP_MAX_MEMBERS: wholeNumber({ min: 2 }).default(defaultChatLimits.groupMembers),
  accounts: z.string('must name a file'),
});

/** The build writes it. */
const emojiNames = path.join(__dirname, '../../dist/emoji-names.json');

const options = {
  accounts: { type: 'string' },
  server: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  'skip-problems': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/**
 * Runs the command with its arguments. @returns the report, and its text as the arguments want it
 * @throws ConfigurationError
 */
export async function runImport(
  args: readonly string[],
  environment: Record<string, string | undefined>,
): Promise<{ report: ImportReport; text: string }> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const settings = loadConfiguration(environmentAndArguments, { ...environment, accounts: values.accounts });
  const [source = '', ...files] = positionals;
  const report = await importChats(settings.DATABASE_URL, {
    source: values.server === undefined ? source : `${source} ${values.server}`,
    records: recordsIn(source, files),
    accounts: AccountMapping.read(settings.accounts),
    emojis: new Map(
      Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(emojiNames, 'utf8')))),
    ),
    limits: {
      ...defaultChatLimits,
      messageCharacters: settings.MESSAGE_MAX_CHARACTERS,
      nameCharacters: settings.NAME_MAX_CHARACTERS,
      groupMembers: settings.GROUP_MAX_MEMBERS,
    },
    isDryRun: values['dry-run'],
    skipsProblems: values['skip-problems'],
  });
  return { report, text: values.json ? JSON.stringify(report, null, 2) : report.toLines().join('\n') };
}

/** @throws ConfigurationError */
function recordsIn(source: string, [first, second, third, ...more]: readonly string[]): AsyncIterable<ImportRecord> {
  if (source === 'mattermost' && first !== undefined && second === undefined) return readMattermost(first);
  if (
    source === 'rocketchat' &&
    first !== undefined &&
    second !== undefined &&
    third !== undefined &&
    more.length === 0
  )
    return readRocketChat({ rooms: first, subscriptions: second, messages: third });
  throw new ConfigurationError([
    'expected `mattermost import.jsonl` or `rocketchat rooms.json subscriptions.json messages.json`',
  ]);
}
