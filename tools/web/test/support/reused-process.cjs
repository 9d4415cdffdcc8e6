// `node reused-process.cjs dist/main.js`: runs a service several times in one process, one after the other, so that
// Node loads and compiles its code once. Prints the port of its HTTP server: `POST /start` has the environment of the
// next run, and the response to `POST /stop` comes when the service has shut down as at SIGTERM.
const { createServer } = require('node:http');
const { json } = require('node:stream/consumers');

const [, , main] = process.argv;
const { PATH } = process.env;
const { exit } = process;

/** Called when the service exits. A service that was not asked to stop ends the process. */
let onExit = exit;
process.exit = (code) => onExit(code);

const commands = {
  async '/start'(request) {
    const environment = await json(request);
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, { PATH, ...environment });
    delete require.cache[main];
    require(main);
  },

  async '/stop'() {
    await new Promise((resolve) => {
      onExit = resolve;
      process.emit('SIGTERM', 'SIGTERM');
    });
    onExit = exit;
  },
};

const control = createServer((request, response) => {
  void commands[request.url](request).then(() => response.end());
});
control.listen(0, '127.0.0.1', () => console.log(`control ${control.address().port}`));
