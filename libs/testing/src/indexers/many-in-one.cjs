// `node many-in-one.cjs dist/indexer.main.js`: an indexer for each of DATABASE_URLS in one process: what kills the process kills
// each of them. What takes long is to load Node and the packages, and that is done once.
const [, , main] = process.argv;

// One whose connection says nothing any more gives up before the process is killed; the others are not to end with it.
process.exit = () => undefined;

for (const url of JSON.parse(process.env.DATABASE_URLS)) {
  // It reads its settings while it is loaded.
  process.env.DATABASE_URL = url;
  require(main);
  delete require.cache[main];
}
