import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type AssembledImage } from './assembled-image';
import { copyFiles, type Source } from './copied-files';
import { expand, parseCommand, parsePairs, type Dockerfile, type Instruction, type Stage } from './dockerfile';

const run = promisify(execFile);

/** A fresh install of all packages, over a slow line. */
const runTimeoutMs = 600_000;

export interface BuildOptions {
  /** Where the stages are laid out. */
  folder: string;
  /** What is sent to the engine. */
  context: Source;
  /** Folders that stand for stages which have been carried out already, by stage. */
  ready?: ReadonlyMap<string, string>;
  /** Told before each RUN, which is what takes time. */
  onStep?: (step: string) => void;
}

/** A stage while it is carried out; the variables are its arguments and its environment. */
interface State extends AssembledImage {
  variables: Map<string, string>;
  environment: Map<string, string>;
  labels: Map<string, string>;
}

/**
 * Carries out the steps of a Dockerfile in folders, without an engine: no base image, no isolation. A base that is an image
 * counts as empty, and RUN uses the Node and npm of the machine. An instruction that it does not know is an error, so that
 * nothing is left out unseen.
 */
export class ImageBuilder {
  /** Stages by name and arguments: those that know no argument are carried out once for all images. */
  readonly #stages = new Map<string, Promise<State>>();

  constructor(
    private readonly file: Dockerfile,
    private readonly options: BuildOptions,
  ) {}

  /** The image of the last stage. @param given the arguments, as `--build-arg` gives them */
  async build(given: Readonly<Record<string, string>>): Promise<AssembledImage> {
    const last = this.file.stages.at(-1);
    if (last === undefined) throw new Error('Dockerfile: it has no stage');
    return await this.#stage(last, given);
  }

  async #stage(stage: Stage, given: Readonly<Record<string, string>>): Promise<State> {
    const known = this.#argumentsOf(stage).map((name) => `${name}=${given[name] ?? ''}`);
    const key = [stage.name, ...known].join(' ');
    const state =
      this.#stages.get(key) ?? this.#carryOut(stage, given, path.join(this.options.folder, folderName(key)));
    this.#stages.set(key, state);
    return await state;
  }

  async #carryOut(stage: Stage, given: Readonly<Record<string, string>>, folder: string): Promise<State> {
    const state = await this.#begin(stage, given, folder);
    for (const instruction of stage.instructions) {
      if (instruction.name === 'RUN') this.options.onStep?.(`${stage.name}: ${instruction.text}`);
      await this.#step(state, instruction, given);
    }
    return state;
  }

  async #begin(stage: Stage, given: Readonly<Record<string, string>>, folder: string): Promise<State> {
    mkdirSync(folder, { recursive: true });
    const base = this.#findStage(stage.base);
    if (base === undefined) return { ...emptyState(), folder };
    const { variables, environment, labels, ...state } = await this.#stage(base, given);
    const source: Source = { folder: state.folder, has: () => true, isFinished: true };
    copyFiles(source, { patterns: ['.'], destination: folder, isFolder: true, keepsParents: false });
    // Arguments end with their stage; the environment goes on.
    return {
      ...state,
      folder,
      variables: new Map([...variables].filter(([name]) => environment.has(name))),
      environment: new Map(environment),
      labels: new Map(labels),
    };
  }

  async #step(state: State, instruction: Instruction, given: Readonly<Record<string, string>>): Promise<void> {
    const { name, text } = instruction;
    const expanded = expand(text, state.variables);
    if (name === 'ARG')
      for (const [argument, value] of parsePairs(expanded))
        state.variables.set(argument, given[argument] ?? value ?? '');
    else if (name === 'ENV')
      for (const [variable, value = ''] of parsePairs(expanded)) {
        state.variables.set(variable, value);
        state.environment.set(variable, value);
      }
    else if (name === 'LABEL') for (const [label, value = ''] of parsePairs(expanded)) state.labels.set(label, value);
    else if (name === 'WORKDIR') {
      state.workingFolder = path.posix.resolve(state.workingFolder, expanded);
      mkdirSync(path.join(state.folder, state.workingFolder), { recursive: true });
    } else if (name === 'COPY') await this.#copy(state, expanded, instruction.flags, given);
    else if (name === 'RUN') await this.#run(state, text);
    else if (name === 'USER') state.user = expanded;
    else if (name === 'ENTRYPOINT') state.entryPoint = parseCommand(text);
    else if (name === 'CMD') state.command = parseCommand(text);
    else if (name === 'HEALTHCHECK') state.healthCheck = parseCommand(text.replace(/^CMD\s+/, ''));
    else if (name !== 'EXPOSE') throw new Error(`Dockerfile: ${name} is not known here: see ImageBuilder`);
  }

  async #copy(
    state: State,
    words: string,
    flags: ReadonlyMap<string, string>,
    given: Readonly<Record<string, string>>,
  ): Promise<void> {
    const paths = words.split(/\s+/);
    const destination = paths.pop() ?? '';
    const from = flags.get('from');
    const source = from === undefined ? this.options.context : await this.#sourceOf(from, given);
    copyFiles(source, {
      patterns: paths,
      destination: path.join(state.folder, path.posix.resolve(state.workingFolder, destination)),
      isFolder: paths.length > 1 || destination.endsWith('/'),
      keepsParents: flags.has('parents'),
    });
  }

  async #sourceOf(name: string, given: Readonly<Record<string, string>>): Promise<Source> {
    const ready = this.options.ready?.get(name);
    if (ready !== undefined) return { folder: ready, has: () => true, isFinished: false };
    const stage = this.#findStage(name);
    if (stage === undefined) throw new Error(`Dockerfile: no stage is named ${name}`);
    const { folder } = await this.#stage(stage, given);
    return { folder, has: () => true, isFinished: true };
  }

  async #run({ folder, workingFolder, variables }: State, command: string): Promise<void> {
    if (/(?:^|[\s=])\//.test(command))
      throw new Error(`Dockerfile: RUN ${command}: here / is that of the machine, name files relative to WORKDIR`);
    await run('/bin/sh', ['-c', command], {
      cwd: path.join(folder, workingFolder),
      env: { ...outerEnvironment(), ...Object.fromEntries(variables) },
      timeout: runTimeoutMs,
      maxBuffer: 64 * 1024 * 1024,
    });
  }

  #findStage(name: string): Stage | undefined {
    return this.file.stages.find((stage) => stage.name !== '' && stage.name === name);
  }

  /** The arguments on which the files of a stage depend, its base and the stages that it copies from included. */
  #argumentsOf(stage: Stage): string[] {
    const own = stage.instructions.flatMap(({ name, text }) =>
      name === 'ARG' ? parsePairs(text).map(([argument]) => argument) : [],
    );
    const others = [stage.base, ...stage.instructions.map(({ flags }) => flags.get('from') ?? '')];
    const theirs = others.flatMap((name) => {
      const other = this.#findStage(name);
      return other === undefined ? [] : this.#argumentsOf(other);
    });
    return [...new Set([...own, ...theirs])];
  }
}

function emptyState(): Omit<State, 'folder'> {
  return {
    workingFolder: '/',
    variables: new Map(),
    environment: new Map(),
    labels: new Map(),
    user: '',
    entryPoint: [],
    command: [],
    healthCheck: [],
  };
}

function folderName(key: string): string {
  return key.replaceAll(/[^\w=]+/g, '-').replace(/^-/, 'image-');
}

/**
 * Without what an npm that runs this command says of its own package. What npm's cache has is not asked for anew: the lock
 * names versions and hashes, and it stands for the cache that an engine mounts.
 */
function outerEnvironment(): NodeJS.ProcessEnv {
  const ofNpm = /^(npm_(package|lifecycle|command|config_(local|global)_prefix)|NODE_ENV$|INIT_CWD$)/;
  const outer = Object.entries(process.env).filter(([name]) => !ofNpm.test(name));
  return { npm_config_prefer_offline: 'true', ...Object.fromEntries(outer) };
}
