// Lets Node load packages, once per worker, and Jest our own modules, again for each test file.
//
// Jest alone would load packages again too, such as the two thousand modules of Nest and TypeORM for each file that
// starts a service: 1.5 s of CPU per file (video-auth: 88 s, now 64 s). The state of a package is therefore shared by
// the files of a worker, and tests cannot mock packages.
//
// Relies on three internals of jest-runtime 30.5.2, whose version the lock file pins: `executor.compile` compiles a
// module, `requireModuleOrMock` resolves what our modules require, and `requireInternalModule` what Jest's own require.
const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const packages = `${path.sep}node_modules${path.sep}`;

module.exports = class SharedPackagesRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const [, environment] = args;
    const { executor } = this;
    executor.compile = (source, filename) =>
      environment.getVmContext() && compileOnce(source, filename, executor.injectedModuleParameters);
  }

  requireModuleOrMock(from, name) {
    const file = isOfPackage(name) ? resolvedByNode(from, name) : undefined;
    return file?.includes(packages) ? require(file) : super.requireModuleOrMock(from, name);
  }

  requireInternalModule(from, name) {
    return name === 'node:async_hooks' ? { AsyncLocalStorage: CurrentValue } : super.requireInternalModule(from, name);
  }
};

/**
 * Replaces the AsyncLocalStorage that Jest uses to find the test that an error belongs to. Each test file creates one,
 * and every promise of the worker then costs time for each of them. As tests run one after another, the running one is
 * enough.
 */
class CurrentValue {
  #current;

  getStore() {
    return this.#current;
  }

  /** @param callback returns a promise */
  async run(value, callback) {
    const before = this.#current;
    this.#current = value;
    try {
      return await callback();
    } finally {
      this.#current = before;
    }
  }
}

/** The source of each module and the function that evaluates it, by file name. */
const compiled = new Map();

/**
 * Compiles one of our modules once per worker. Each test file still evaluates it again, with its own state. Saves 0.2 s
 * of CPU per test file that starts a service, because V8 caches the bytecode of functions that an earlier file called.
 */
function compileOnce(source, filename, parameters) {
  const cached = compiled.get(filename);
  if (cached?.source === source) return cached.function;
  const compiledFunction = compileFunction(source, parameters, { filename });
  compiled.set(filename, { source, function: compiledFunction });
  return compiledFunction;
}

/** `@jest/globals` differs for each file. */
function isOfPackage(name) {
  return !name.startsWith('.') && !path.isAbsolute(name) && !isBuiltin(name) && name !== '@jest/globals';
}

/** The files that packages resolve to, by the folder that requires them and their name. */
const resolved = new Map();

/**
 * Returns undefined for one of our libraries that is not built; Jest then loads its source. Each test file evaluates
 * our modules again, whose packages Node would look for in up to four folders each: 3% of the time of a test file.
 */
function resolvedByNode(from, name) {
  const key = `${path.dirname(from)}\0${name}`;
  const known = resolved.get(key);
  if (known !== undefined) return known;
  try {
    const file = createRequire(from).resolve(name);
    resolved.set(key, file);
    return file;
  } catch {
    return undefined;
  }
}
