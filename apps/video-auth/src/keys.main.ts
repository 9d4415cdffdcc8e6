import { keysCommand, KeysCommandError } from './tokens/keys-command';

/** Makes and rotates the keys that sign tokens: `node dist/keys.main.js make|rotate <file>`. */
keysCommand(process.argv.slice(2), new Date()).then(
  (done) => {
    console.log(done);
  },
  (error: unknown) => {
    console.error(error instanceof KeysCommandError ? error.message : error);
    process.exitCode = 1;
  },
);
