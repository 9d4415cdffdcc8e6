// Runs all test files of a worker on its global object, instead of each in a separate context. `Error` is then the same
// class everywhere, and packages that one file loads can be reused by the next (see runtime.cjs).
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** What Jest or a test may change for one file. */
const stateOf = ({ console, process }) => ({ console, exit: process.exit, env: { ...process.env } });

/**
 * Removes what Jest and TypeORM keep on the global object for each file: its tests, its listeners and its entities, and
 * with them all of its objects. They were 12 MB per file, and each listener was called for the tests of later files.
 */
function removeStateOfFile() {
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (/^(JEST_STATE_SYMBOL|EVENT_HANDLERS)$/.test(symbol.description)) delete globalThis[symbol];
  delete globalThis.typeormMetadataArgsStorage;
}

// Node 22 and newer warns, once per process, of a timer with a negative, infinite or excessive time. The test file
// fails.
let timerWarning;
process.on('warning', (warning) => {
  if (/^Timeout(Negative|NaN|Overflow)Warning$/.test(warning.name)) timerWarning = warning;
});

module.exports = class WorkerEnvironment {
  #before = stateOf(globalThis);
  #conditions;

  constructor({ projectConfig: config }) {
    this.#conditions = config.testEnvironmentOptions.customExportConditions;
    this.global = Object.assign(globalThis, config.globals);
    this.context = {};
    this.moduleMocker = new ModuleMocker(globalThis);
    const timerConfig = { idToRef: (id) => id, refToId: (timer) => timer };
    this.fakeTimers = new LegacyFakeTimers({
      config,
      global: globalThis,
      moduleMocker: this.moduleMocker,
      timerConfig,
    });
    this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    this.context = null;
    globalThis.console = this.#before.console;
    process.exit = this.#before.exit;
    removeStateOfFile();
    for (const name of Object.keys(process.env)) if (!(name in this.#before.env)) delete process.env[name];
    Object.assign(process.env, this.#before.env);
    const warning = timerWarning;
    timerWarning = undefined;
    if (warning !== undefined) throw warning;
  }

  exportConditions() {
    return this.#conditions;
  }

  /** For Jest, null means that the file has ended. */
  getVmContext() {
    return this.context;
  }
};
