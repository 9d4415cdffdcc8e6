// `node many-in-one.cjs dist/indexer.main.js`: runs an indexer for each of DATABASE_URLS in one process, so that one
// kill ends all of them, and Node and the packages are loaded once.
const [, , main] = process.argv;

// An indexer whose connection hangs may give up before the process is killed. The others must not end with it.
process.exit = () => undefined;

for (const url of JSON.parse(process.env.DATABASE_URLS)) {
  // It reads its settings when it is loaded.
  process.env.DATABASE_URL = url;
  require(main);
  delete require.cache[main];
}
