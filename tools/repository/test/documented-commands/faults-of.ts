import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { faultsOfKubectl } from './kubectl';
import { scriptOf } from './own-scripts';
import { type ShellCommand } from './shell';

const root = path.resolve(__dirname, '../../../..');
const isThere = (file: string) => existsSync(path.join(root, file));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Where a command stands. */
export interface Place {
  /** The Markdown file, relative to the repository. */
  file: string;
  /** Whether a test takes the commands of this place, and runs them. */
  isRun: boolean;
}

type Rule = (args: readonly string[], place: Place, command: ShellCommand) => string[];

const named = z.object({ name: z.string(), targets: z.record(z.string(), z.unknown()).default({}) });
const projects = new Map(
  ['apps', 'libs', 'tools']
    .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((folder) => isThere(`${folder}/project.json`))
    .map((folder) => [named.parse(JSON.parse(read(`${folder}/project.json`))), folder] as const)
    .map(([{ name, targets }, folder]) => [name, { targets: Object.keys(targets), folder }]),
);
const scripts = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json'))).scripts;

const lacking = (what: string, names: readonly string[], known: readonly string[]) =>
  names.filter((name) => !known.includes(name)).map((name) => `there is no ${what} ${name}`);
const targetOf = (project: string, target: string) =>
  // `<project>` stands for any.
  project === 'project' || project === 'service' || project === 'app'
    ? lacking(
        'target',
        [target],
        [...projects.values()].flatMap(({ targets }) => targets),
      )
    : lacking(`target of ${project}`, [target], projects.get(project)?.targets ?? []);

/** Options by which PostgreSQL's own programs are called; a newer server refuses an older client, so no test can run them anywhere. */
const postgresOptions: Record<string, readonly string[]> = {
  pg_dump: ['--format', '--file'],
  pg_restore: ['--exit-on-error', '--no-owner', '--dbname'],
  createdb: ['--username', '--owner'],
  vacuumdb: ['--analyze-only', '--dbname'],
};
const postgres: Rule = (args, _place, { words: [program = ''] }) => [
  ...lacking(
    `option of ${program}`,
    args.flatMap((word) => (word.startsWith('--') ? [word.replace(/=.*/, '')] : [])),
    postgresOptions[program] ?? [],
  ),
  ...args
    .filter((word) => /URL|:\/\//.test(word))
    .map((word) => `everybody on the machine sees the password in ${word}`),
];

/** Programs of the system, which a runbook may count on. Nothing of ours is in how they are called. */
const ofTheSystem: Rule = () => [];

/** For each program that documents call: what is wrong with a call of it. Options of `npm run …` are asked for together. */
const rules: Record<string, Rule> = {
  npm: ([verb = '', ...rest]) => {
    if (verb === 'run') return lacking('script', [rest[0] ?? ''], Object.keys(scripts));
    if (verb === 'start' || verb === 'test') return lacking('script', [verb], Object.keys(scripts));
    if (verb === 'pack')
      return isThere(`${rest[1] ?? ''}/package.json`) ? [] : [`there is no workspace ${rest[1] ?? ''}`];
    return lacking('command of npm that documents need', [verb], ['ci', 'install']);
  },
  npx: ([tool = '', verb = '', ...rest], { file }, { variables }) => {
    if (tool === 'jest') {
      const folder = projects.get(/(chat|delegation)/.exec(verb)?.[0] ?? 'chat')?.folder ?? '';
      const test = `${folder}/test/${verb.replace('test/', '')}.test.ts`;
      if (!isThere(test)) return [`there is no ${test}`];
      return lacking(`variable of ${test}`, Object.keys(variables), read(test).match(/[A-Z_]{4,}/g) ?? []);
    }
    if (tool !== 'nx') return [`${file}: documents call nx and jest by npx, not ${tool}`];
    if (verb === 'run') return targetOf(...splitInTwo(rest[0] ?? ''));
    if (verb === 'run-many') return rest.slice(1).flatMap((target) => targetOf('project', target));
    return targetOf(rest[0] ?? '', verb);
  },
  node: ([script = ''], { file, isRun }) => {
    if (script === '-p') return isRun ? [] : ['no test takes it, by `commandsIn`'];
    const source = script.replace(/(^|\/)dist\//, '$1src/').replace(/\.js$/, '.ts');
    const isFound = ['', path.dirname(file), 'apps/video-auth'].some((folder) => isThere(path.join(folder, source)));
    return isFound || isThere(script) ? [] : [`there is no ${source}`];
  },
  kubectl: (args) => faultsOfKubectl(args),
  docker: (args) => {
    const after = (option: string) => args.flatMap((word, index) => (args[index - 1] === option ? [word] : []));
    const files = [...after('-f'), ...after('--env-file').map((file) => file.replace(/\/\.env$/, '/.env.example'))];
    const dockerfile = read('docker/Dockerfile');
    return [
      ...lacking(
        'command of docker that documents need',
        [args[0] ?? ''],
        ['build', 'buildx', 'run', 'compose', 'stop'],
      ),
      ...files.filter((file) => !isThere(file)).map((file) => `there is no ${file}`),
      ...after('--target').filter((stage) => !dockerfile.includes(` AS ${stage}\n`)),
      ...after('--build-arg')
        .map((argument) => argument.split('='))
        .filter(
          ([name = '', app = '']) =>
            !dockerfile.includes(`ARG ${name}\n`) || (!app.startsWith('$') && !isThere(`apps/${app}/project.json`)),
        )
        .map(([name]) => `no build has the argument ${name ?? ''}, or there is no such app`),
      ...args
        .filter((word) => /^dist\/.*\.js$/.test(word))
        .filter((script) => !isThere(`apps/chat/${script.replace('dist', 'src').replace(/js$/, 'ts')}`))
        .map((script) => `no image has ${script}`),
    ];
  },
  'k8s/overlays/local/secrets.sh': () => (isThere('k8s/overlays/local/secrets.sh') ? [] : ['it is not there']),
  cd: ([folder = '']) => (isThere(folder) ? [] : [`there is no folder ${folder}`]),
  // Run against the services that `npm start` runs.
  curl: (_args, { isRun }) => (isRun ? [] : ['no test takes it, by `commandsIn`']),
  pg_dump: postgres,
  pg_restore: postgres,
  createdb: postgres,
  vacuumdb: postgres,
  base64: ofTheSystem,
  export: ofTheSystem,
  grep: ofTheSystem,
  shred: ofTheSystem,
  umask: ofTheSystem,
  kind: ofTheSystem,
  // `release.test.ts` makes the commit and the tag.
  git: (args) => lacking('command of git that documents need', [args.join(' ')], ['push --follow-tags']),
};

function splitInTwo(text: string): [string, string] {
  const [project = '', target = ''] = text.split(':');
  return [project, target];
}

/** The programs that are looked for in the text too, between backquotes. */
export const programs = Object.keys(rules);

/** What is wrong with a command of a document; empty where nothing is, as far as it can be known here. */
export function faultsOf(command: ShellCommand, place: Place): string[] {
  const [program = '', ...args] = command.words;
  const rule = rules[program];
  if (rule === undefined) return [`nothing here knows how to check ${program}`];
  return rule(args, place, command);
}

/** What documents give to a script of ours, by the script: `npm run <name> -- …`, `node dist/….main.js …`. */
export function argumentsOfOwnScript({ words }: ShellCommand): { script: string; args: string[] } | undefined {
  const [program, ...args] = words;
  if (program === 'npm' && args[0] === 'run') {
    const script = scriptOf(args[1] ?? '');
    return script === undefined ? undefined : { script, args: args.slice(3) };
  }
  const [, name] = program === 'node' ? (/(keys\.main\.js)$/.exec(args[0] ?? '') ?? []) : [];
  return name === undefined ? undefined : { script: `apps/video-auth/dist/${name}`, args: args.slice(1) };
}
