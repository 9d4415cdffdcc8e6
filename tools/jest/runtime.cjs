// Packages are loaded by Node itself and once per worker, our own modules by Jest and anew for each test file.
//
// Jest would load everything anew: the two thousand modules of Nest, TypeORM and the rest, for each file that starts a
// service. That was 1.5 s of CPU a file, a quarter of all that the tests of a service took (video-auth: 88 s, now 64 s).
// What a package keeps to itself is therefore shared between the files of a worker, as it is between the parts of a
// service. No test may mock a package.
//
// It relies on two insides of jest-runtime 30.5.2, whose version the lock pins: `executor.compile` makes the function of
// a module, and whatever our modules require comes by `requireModuleOrMock`.
const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const packages = `${path.sep}node_modules${path.sep}`;

module.exports = class PackagesOnce extends Runtime {
  constructor(...all) {
    super(...all);
    const [, environment] = all;
    const { executor } = this;
    executor.compile = (source, filename) =>
      environment.getVmContext() && compiledOnce(source, filename, executor.injectedModuleParameters);
  }

  requireModuleOrMock(from, name) {
    const file = isOfPackage(name) ? resolvedByNode(from, name) : undefined;
    return file?.includes(packages) ? require(file) : super.requireModuleOrMock(from, name);
  }
};

/** The source of each module and the function that evaluates it, by file name. */
const compiled = new Map();

/**
 * Compiles a module of ours once per worker; each test file still evaluates it again, with state of its own. Takes 0.2 s of
 * CPU from each test file that starts a service: V8 keeps the bytecode of all functions that an earlier file has called.
 */
function compiledOnce(source, filename, parameters) {
  const known = compiled.get(filename);
  if (known?.source === source) return known.function;
  const made = compileFunction(source, parameters, { filename });
  compiled.set(filename, { source, function: made });
  return made;
}

/** Jest has a `@jest/globals` of its own for each file. */
function isOfPackage(name) {
  return !name.startsWith('.') && !path.isAbsolute(name) && !isBuiltin(name) && name !== '@jest/globals';
}

/** Undefined for a library of ours that is not built: Jest reads the source. */
function resolvedByNode(from, name) {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return undefined;
  }
}
