import { parseArgs } from 'node:util';
import { type RecordedChainName, recordedChainNames, type SoftwareName, softwareNames } from '@waggle/devnet';
import { PlainError, withUsage } from '@waggle/running';

/** The arguments of `npm run devnet`. */
export interface DevnetArguments {
  /** The software of each node. */
  readonly nodes: readonly SoftwareName[];
  /** The chain to serve instead of a new one. */
  readonly recorded: RecordedArguments | undefined;
}

interface RecordedArguments {
  readonly folder: string;
  readonly chain: RecordedChainName;
  /** Number of the first head; by default there are five minutes of blocks after it. */
  readonly head?: number;
}

const usage =
  'npm run devnet -- [--nodes hived,haf,hived-1.25] [--recorded FOLDER [--chain first|million|collage] [--head 100]]';

/** @throws PlainError if an argument is missing or invalid */
export function readArguments(args: string[]): DevnetArguments {
  const text = { type: 'string' } as const;
  const options = { nodes: text, recorded: text, chain: text, head: text };
  const { values } = withUsage(` Usage: ${usage}`, () => parseArgs({ args, options }));
  const nodes = (values.nodes ?? 'hived').split(',').map((name) => oneOf(softwareNames, name, 'nodes'));
  const { recorded: folder, chain = 'first', head } = values;
  if (folder === undefined) {
    if (values.chain !== undefined || head !== undefined)
      throw new PlainError(`--chain and --head need --recorded. Usage: ${usage}`);
    return { nodes, recorded: undefined };
  }
  if (head !== undefined && !/^\d{1,10}$/.test(head))
    throw new PlainError(`--head: "${head}" is no number. Usage: ${usage}`);
  const recorded = { folder, chain: oneOf(recordedChainNames, chain, 'chain') };
  return { nodes, recorded: head === undefined ? recorded : { ...recorded, head: Number(head) } };
}

function oneOf<Name extends string>(names: readonly Name[], given: string, option: string): Name {
  const name = names.find((each) => each === given);
  if (name === undefined)
    throw new PlainError(`--${option}: "${given}" is none of ${names.join(', ')}. Usage: ${usage}`);
  return name;
}
