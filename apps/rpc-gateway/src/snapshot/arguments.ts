import { parseArgs } from 'node:util';
import { z } from 'zod';
import { SnapshotError } from './snapshot-error';

const usage = `usage: gateway:snapshot export [--at-block N] --out FILE|-
       gateway:snapshot import FILE|- [--expect-digest SHA256]`;

/** Standard input or output instead of a file. */
export const standardStream = '-';

export type SnapshotCommand =
  | { readonly name: 'export'; readonly out: string; readonly atBlock: number | undefined }
  | { readonly name: 'import'; readonly file: string; readonly expectedDigest: string | undefined };

const exportCommand = z.object({
  positionals: z.tuple([z.literal('export')]),
  values: z.strictObject({
    out: z.string().min(1),
    'at-block': z
      .string()
      .regex(/^[1-9]\d{0,8}$/)
      .transform(Number)
      .optional(),
  }),
});

const importCommand = z.object({
  positionals: z.tuple([z.literal('import'), z.string().min(1)]),
  values: z.strictObject({
    'expect-digest': z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
  }),
});

const string = { type: 'string' } as const;
const options = { out: string, 'at-block': string, 'expect-digest': string };

/** @throws SnapshotError with the usage */
export function parseArguments(args: readonly string[]): SnapshotCommand {
  const parsed = parse(args);
  const exporting = exportCommand.safeParse(parsed);
  if (exporting.success) {
    const { out, 'at-block': atBlock } = exporting.data.values;
    return { name: 'export', out, atBlock };
  }
  const importing = importCommand.safeParse(parsed);
  if (!importing.success) throw new SnapshotError('invalid-arguments', usage);
  const { positionals, values } = importing.data;
  return { name: 'import', file: positionals[1], expectedDigest: values['expect-digest'] };
}

function parse(args: readonly string[]): unknown {
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { positionals, values: { ...values } };
  } catch (error) {
    throw new SnapshotError('invalid-arguments', `${error instanceof Error ? error.message : ''}\n${usage}`);
  }
}
