// A test environment without a context of its own: a test file runs on the global object of its worker. An `Error` is
// then the same one everywhere, and what one file loaded of node_modules can serve the next: see runtime.cjs.
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** What Jest, or a test, sets on the worker for one file. */
const stateOf = ({ console, process }) => ({ console, exit: process.exit, env: { ...process.env } });

module.exports = class WorkersOwnEnvironment {
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
    for (const name of Object.keys(process.env)) if (!(name in this.#before.env)) delete process.env[name];
    Object.assign(process.env, this.#before.env);
  }

  exportConditions() {
    return this.#conditions;
  }

  /** Jest takes null for the end of the file. */
  getVmContext() {
    return this.context;
  }
};
