/** One instruction of a Dockerfile, with nothing replaced in it yet. */
export interface Instruction {
  name: string;
  flags: ReadonlyMap<string, string>;
  text: string;
}

export interface Stage {
  /** Empty for the last one, where it has none. */
  name: string;
  /** An image, or the name of a stage before this one. */
  base: string;
  instructions: Instruction[];
}

export interface Dockerfile {
  /** Declared before the first stage: defaults of what `FROM` names. */
  arguments: Instruction[];
  stages: Stage[];
}

/** @throws Error at a line that is no instruction, or one before the first `FROM` */
export function parseDockerfile(text: string): Dockerfile {
  const file: Dockerfile = { arguments: [], stages: [] };
  for (const line of logicalLines(text)) {
    const instruction = parseInstruction(line);
    const stage = file.stages.at(-1);
    if (instruction.name === 'FROM') file.stages.push(parseFrom(instruction));
    else if (stage !== undefined) stage.instructions.push(instruction);
    else if (instruction.name === 'ARG') file.arguments.push(instruction);
    else throw new Error(`Dockerfile: ${instruction.name} stands before the first FROM`);
  }
  return file;
}

/** Replaces `${NAME}` and `$NAME`; what is not set is empty, as for a shell. */
export function expand(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /\$(?:\{(\w+)\}|(\w+))/g,
    (_whole, braced?: string, bare?: string) => variables.get(braced ?? bare ?? '') ?? '',
  );
}

/** `A=1 B="two words"` as pairs; `A` alone is without a value. */
export function parsePairs(text: string): [name: string, value: string | undefined][] {
  return [...text.matchAll(/([\w.-]+)(?:=(?:"([^"]*)"|(\S*)))?/g)].map(([, name = '', quoted, bare]) => [
    name,
    quoted ?? bare,
  ]);
}

/** The words of a command in its JSON form, the only one in which no shell stands between an engine and the program. */
export function parseCommand(text: string): string[] {
  const words: unknown = JSON.parse(text);
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  throw new Error(`Dockerfile: a command must be a JSON array of texts: ${text}`);
}

/** Without comments; a line that ends with a backslash goes on in the next. */
function logicalLines(text: string): string[] {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  return lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim());
}

function parseInstruction(line: string): Instruction {
  const [, name, flags = '', text = ''] = /^([A-Z]+)((?:\s+--\S+)*)\s+(.*)$/.exec(line) ?? [];
  if (name === undefined) throw new Error(`Dockerfile: no instruction: ${line}`);
  const pairs = [...flags.matchAll(/--([\w-]+)(?:=(\S+))?/g)];
  return { name, flags: new Map(pairs.map(([, flag = '', value = '']) => [flag, value])), text };
}

function parseFrom({ text }: Instruction): Stage {
  const [, base, name = ''] = /^(\S+)(?: AS (\S+))?$/.exec(text) ?? [];
  if (base === undefined) throw new Error(`Dockerfile: not understood: FROM ${text}`);
  return { name, base, instructions: [] };
}
