/** One command of a shell script. */
export interface ShellCommand {
  /** Variables that are set for it. */
  variables: Record<string, string>;
  /** The program and its arguments, without quotes. */
  words: string[];
  /** The folder of the last `cd` before it. */
  folder?: string | undefined;
}

/** Keywords before a command or between commands. */
const keywords = new Set(['do', 'done', 'then', 'fi', 'if', 'else', '!']);

/**
 * Parses a shell script into its commands, including commands in pipes, loops and `$(…)`. Supports what the documents
 * use; `sh -n` checks the syntax.
 */
export function commandsOf(text: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) commands.push(...commandOf(words));
    words = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (text.startsWith('$(', at)) {
      const end = endOfSubstitution(text, at);
      commands.push(...commandsOf(text.slice(at + 2, end)));
      word = `${word ?? ''}…`;
      at = end;
    } else if (sign === "'") {
      const end = text.indexOf("'", at + 1);
      word = (word ?? '') + text.slice(at + 1, end);
      at = end;
    } else if (sign === '"') {
      const end = endOfQuoted(text, at);
      const inner = text.slice(at + 1, end);
      for (const [, nested = ''] of inner.matchAll(/\$\((.*)\)/g)) commands.push(...commandsOf(nested));
      word = (word ?? '') + inner.replaceAll(/\$\(.*\)/g, '…').replaceAll('\\"', '"');
      at = end;
    } else if (sign === '#' && word === undefined) at = endOfLine(text, at) - 1;
    else if (/[\n;|&]/.test(sign)) endCommand();
    else if (/\s/.test(sign)) endWord();
    else word = (word ?? '') + sign;
  }
  endCommand();
  let folder: string | undefined;
  return commands.map((command) => {
    if (command.words[0] === 'cd') folder = command.words[1];
    return { ...command, folder };
  });
}

function commandOf(all: readonly string[]): ShellCommand[] {
  const words = [...all];
  const variables: Record<string, string> = {};
  while (words[0] !== undefined && keywords.has(words[0])) words.shift();
  for (let assigned; (assigned = /^([A-Z_]+)=(.*)$/.exec(words[0] ?? '')) !== null; words.shift())
    variables[assigned[1] ?? ''] = assigned[2] ?? '';
  const redirected = words.indexOf('>');
  if (redirected >= 0) words.splice(redirected, 2);
  return words.length === 0 || words[0] === 'for' ? [] : [{ variables, words }];
}

function endOfSubstitution(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === '(') depth += 1;
    if (text.charAt(at) === ')' && (depth -= 1) === 0) return at;
  }
  return text.length;
}

/** Quotes inside `$( )` do not end the outer ones. */
function endOfQuoted(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.startsWith('$(', at)) at = endOfSubstitution(text, at);
    else if (text.charAt(at) === '"') return at;
  }
  return text.length;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
