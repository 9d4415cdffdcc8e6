// Calls a gateway through a client library, loaded as in applications: {library, urls, calls: [{method, params}]} on
// stdin, the responses of each URL on stdout, each {result} or {error: its message}. A process of its own, because wax
// is an ES module with WebAssembly.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

const libraries = {
  dhive: (url) => {
    const { Client } = require('@hiveio/dhive');
    const client = new Client(url);
    return (method, params) => client.call(...method.split('.'), params);
  },
  'hive-js': (url) => {
    const { api } = require('@hiveio/hive-js');
    api.setOptions({ url });
    return (method, params) => api.callAsync(method, params);
  },
  wax: async (url) => {
    const { createHiveChain } = await import('@hiveio/wax');
    const { api } = (await createHiveChain({ apiEndpoint: url })).extend();
    return (method, params) => {
      const [namespace, query] = method.split('.');
      return api[namespace][query](params);
    };
  },
};

const { library, urls, calls } = JSON.parse(readFileSync(0, 'utf8'));
const outcomes = [];
for (const url of urls) {
  const call = await libraries[library](url);
  const ofUrl = [];
  for (const { method, params } of calls) {
    ofUrl.push(
      await call(method, params).then(
        (result) => ({ result }),
        // dhive and wax build their messages from `data`, and keep the response beside them.
        ({ message, jse_info: data }) => ({ error: data?.extension?.assertion_expression ?? message }),
      ),
    );
  }
  outcomes.push(ofUrl);
}
// Waits until the parent has read it, unlike writeFileSync.
process.stdout.write(JSON.stringify(outcomes));
