import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runHelm } from '@waggle/testing';
import { z } from 'zod';
import { checkKubectl } from './kubectl';
import { scriptOf } from './own-scripts';
import { type ShellCommand } from './shell';
import { projectFolders, testFilesUnder } from '../test-files';

const root = path.resolve(__dirname, '../../../..');
const exists = (file: string) => existsSync(path.join(root, file));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Where a command is documented. */
export interface Place {
  /** The Markdown file, relative to the repository. */
  file: string;
  /** Whether a test runs the commands of this place. */
  isRun: boolean;
}

type Rule = (args: readonly string[], place: Place, command: ShellCommand) => string[];

const named = z.object({ name: z.string(), targets: z.record(z.string(), z.unknown()).default({}) });
const projects = new Map(
  projectFolders
    .map((folder) => named.parse(JSON.parse(read(`${folder}/project.json`))))
    .map(({ name, targets }) => [name, Object.keys(targets)]),
);
const scripts = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json'))).scripts;

const missing = (what: string, names: readonly string[], known: readonly string[]) =>
  names.filter((name) => !known.includes(name)).map((name) => `there is no ${what} ${name}`);
const targetOf = (project: string, target: string) =>
  // Placeholders for any project.
  project === 'project' || project === 'service' || project === 'app'
    ? missing('target', [target], [...projects.values()].flat())
    : missing(`target of ${project}`, [target], projects.get(project) ?? []);

/** PostgreSQL's clients. They are not run, since pg_dump rejects a newer server. */
const postgres: Rule = (args) =>
  args
    .filter((word) => /URL|:\/\//.test(word))
    .map((word) => `other users of the machine can see the password in ${word}`);

/** Programs of the system, whose arguments are not checked. */
const systemProgram: Rule = () => [];

/** A shell script whose `case` lists its commands with the number of words. */
const ownScript =
  (file: string): Rule =>
  (args) =>
    missing(`command of ${file}`, [`${args[0] ?? ''} ${args.length}`], read(file).match(/(?<=')[a-z]+ \d(?=')/g) ?? []);

/** Finds the problems of a command, by program. The options of `npm run …` are checked by `unknownToScript`. */
const rules: Record<string, Rule> = {
  npm: ([verb = '', ...rest]) => {
    if (verb === 'run') return missing('script', [rest[0] ?? ''], Object.keys(scripts));
    if (verb === 'start' || verb === 'test') return missing('script', [verb], Object.keys(scripts));
    if (verb === 'pack')
      return exists(`${rest[1] ?? ''}/package.json`) ? [] : [`there is no workspace ${rest[1] ?? ''}`];
    return missing('command of npm that documents need', [verb], ['ci', 'install']);
  },
  npx: ([tool = '', verb = '', ...rest], { file }, { variables, folder: current }) => {
    if (tool === 'jest') {
      const folder = current ?? projectFolders.find((name) => file.startsWith(`${name}/`));
      const tests = (folder === undefined ? projectFolders : [folder])
        .flatMap((name) => testFilesUnder(name, { helpers: true }))
        .filter((name) => name.includes(verb));
      if (!tests.some((name) => /\.(test|spec)\.ts$/.test(name)))
        return [`there is no test ${verb} in ${folder ?? 'any project'}`];
      const used = tests.flatMap((name) => {
        const text = read(name);
        return [...(text.match(/(?<=env\[')\w+/g) ?? []), ...(text.includes('/long-form') ? ['LONG'] : [])];
      });
      return missing(`variable of ${tests.join(', ')}`, Object.keys(variables), used);
    }
    if (tool !== 'nx') return [`${file}: documents call nx and jest by npx, not ${tool}`];
    if (verb === 'run') return targetOf(...splitInTwo(rest[0] ?? ''));
    if (verb === 'run-many') return rest.slice(1).flatMap((target) => targetOf('project', target));
    return targetOf(rest[0] ?? '', verb);
  },
  node: ([script = ''], { file, isRun }) => {
    if (script === '-p') return isRun ? [] : ['no test reads it with `commandsIn`'];
    const source = script.replace(/(^|\/)dist\//, '$1src/').replace(/\.js$/, '.ts');
    const isFound = ['', path.dirname(file), 'apps/chat', 'apps/video-auth'].some((folder) =>
      exists(path.join(folder, source)),
    );
    return isFound || exists(script) ? [] : [`there is no ${source}`];
  },
  kubectl: (args) => checkKubectl(args),
  helm: ([subcommand = '', ...args]) => {
    const { output, error } = runHelm([subcommand, '--help']);
    const options = args.filter((word) => word.startsWith('--'));
    return error === '' ? options.filter((option) => !output.includes(`${option} `)) : [error];
  },
  docker: (args) => {
    const after = (option: string) => args.flatMap((word, index) => (args[index - 1] === option ? [word] : []));
    const files = [...after('-f'), ...after('--env-file').map((file) => file.replace(/\/\.env$/, '/.env.example'))];
    const dockerfile = read('docker/Dockerfile');
    return [
      ...missing(
        'command of docker that documents need',
        [args[0] ?? ''],
        ['build', 'buildx', 'run', 'compose', 'stop'],
      ),
      ...files.filter((file) => !exists(file)).map((file) => `there is no ${file}`),
      ...after('--target')
        .filter((stage) => !dockerfile.includes(` AS ${stage}\n`))
        .map((stage) => `there is no stage ${stage}`),
      ...after('--build-arg')
        .map((argument) => argument.split('='))
        .filter(
          ([name = '', app = '']) =>
            !dockerfile.includes(`ARG ${name}\n`) || (!app.startsWith('$') && !exists(`apps/${app}/project.json`)),
        )
        .map(([name]) => `no build has the argument ${name ?? ''}, or there is no such app`),
      ...args
        .filter((word) => /^dist\/.*\.js$/.test(word))
        .filter((script) => !exists(`apps/chat/${script.replace('dist', 'src').replace(/js$/, 'ts')}`))
        .map((script) => `no image has ${script}`),
    ];
  },
  'docker/vps.sh': ownScript('docker/vps.sh'),
  '/opt/waggle-0.1.0/server/waggle': ownScript('docker/server/waggle'),
  waggle: ownScript('docker/server/waggle'),
  'k8s/overlays/local/secrets.sh': () => (exists('k8s/overlays/local/secrets.sh') ? [] : ['it does not exist']),
  cd: ([folder = '']) => (exists(folder) ? [] : [`there is no folder ${folder}`]),
  // Tests run them against the services of `npm start`.
  curl: (_args, { isRun }) => (isRun ? [] : ['no test reads it with `commandsIn`']),
  pg_dump: postgres,
  pg_restore: postgres,
  createdb: postgres,
  createuser: postgres,
  vacuumdb: postgres,
  apt: systemProgram,
  base64: systemProgram,
  cosign: systemProgram,
  export: systemProgram,
  grep: systemProgram,
  shred: systemProgram,
  tar: systemProgram,
  umask: systemProgram,
  kind: systemProgram,
  // `release.test.ts` makes the commit and the tag.
  git: (args) => missing('command of git that documents need', [args.join(' ')], ['push --follow-tags']),
};

function splitInTwo(text: string): [string, string] {
  const [project = '', target = ''] = text.split(':');
  return [project, target];
}

/** The programs whose commands are also checked between backquotes in the text. */
export const programs = Object.keys(rules);

/** Finds the problems of a documented command. */
export function checkCommand(command: ShellCommand, place: Place): string[] {
  const [program = '', ...args] = command.words;
  const rule = rules[program];
  if (rule === undefined) return [`there is no rule for ${program}`];
  return rule(args, place, command);
}

/** Returns the arguments of one of our scripts in `npm run <name> -- …` or `node dist/….main.js …`. */
export function argumentsOfOwnScript({ words }: ShellCommand): { script: string; args: string[] } | undefined {
  const [program, ...args] = words;
  if (program === 'npm' && args[0] === 'run') {
    const script = scriptOf(args[1] ?? '');
    return script === undefined ? undefined : { script, args: args.slice(3) };
  }
  const [, name] = program === 'node' ? (/(keys\.main\.js)$/.exec(args[0] ?? '') ?? []) : [];
  return name === undefined ? undefined : { script: `apps/video-auth/dist/${name}`, args: args.slice(1) };
}
