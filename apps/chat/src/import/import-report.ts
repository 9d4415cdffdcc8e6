import { formatTextTable } from '@waggle/service';

/** Maximum number of examples of problems in a report. */
const maxExamples = 100;

/** What an import found in an export and did with it. */
export class ImportReport {
  /** Whether the export was imported, or a dry run found no problem. */
  isComplete = false;
  /** Why the import ended early, and the file and line that it had come to. */
  failure: { at: string | undefined; reason: string } | undefined;
  readonly counts = {
    channels: 0,
    groups: 0,
    dms: 0,
    /** Posts in the export with replies, without what is ignored. */
    posts: 0,
    imported: 0,
    alreadyImported: 0,
    /** Imported messages whose time is moved, since a conversation has at most one message per millisecond. */
    movedByMs: 0,
    replies: 0,
    /** Replies that became plain messages, since the first post is missing. */
    repliesWithoutRoot: 0,
    edited: 0,
    reactions: 0,
    /** Messages of users without an account, which the fallback account sends. */
    byFallback: 0,
  };
  /** What is not imported, by kind. */
  readonly ignored = emptyCounts();
  /** How many posts and memberships users have that the mapping does not list. */
  readonly unmapped = emptyCounts();
  /** Number of lines, posts and conversations that cannot be imported. */
  problems = 0;
  /** The first problems. */
  readonly examples: string[] = [];

  /** @param isDryRun whether the counts are what an import would do now */
  constructor(readonly isDryRun = false) {}

  ignore(what: string, count = 1): void {
    if (count > 0) this.ignored[what] = (this.ignored[what] ?? 0) + count;
  }

  addUnmapped(user: string): void {
    this.unmapped[user] = (this.unmapped[user] ?? 0) + 1;
  }

  addProblem(place: string, reason: string): void {
    this.problems += 1;
    if (this.examples.length < maxExamples) this.examples.push(`${place}: ${reason}`);
  }

  /** Returns the report as lines for a terminal. Names of an export cannot control it. */
  toLines(): string[] {
    const { isComplete, counts, ignored, unmapped, examples, problems, failure } = this;
    const table = (title: string, rows: Record<string, number>) =>
      Object.keys(rows).length === 0
        ? []
        : [
            '',
            ...formatTextTable(
              [title, ''],
              Object.entries(rows).map(([what, count]) => [what, String(count)]),
            ),
          ];
    return [
      `${this.isDryRun ? 'dry run, nothing is written: ' : ''}${isComplete ? 'complete' : 'not complete'}`,
      ...table('FOUND AND WRITTEN', counts),
      ...table('NOT IMPORTED', ignored),
      ...table('USERS WITHOUT AN ACCOUNT', unmapped),
      ...table('PROBLEMS', problems === 0 ? {} : { all: problems }),
      ...examples,
      ...(failure
        ? ['', `FAILED at ${failure.at ?? 'the beginning'}`, ...failure.reason.split('\n'), 'Run the command again.']
        : []),
    ].map(escapeControls);
  }
}

/** Escapes control characters, and invisible ones that change the order of a line. */
function escapeControls(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}

/** Returns counts by text. Without a prototype, since a user may have the name of one of its fields. */
function emptyCounts(): Record<string, number> {
  return Object.create(null) as Record<string, number>;
}
