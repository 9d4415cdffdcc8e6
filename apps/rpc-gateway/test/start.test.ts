import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

/** Loads a file of the build in a process of its own, and returns the modules of a package that it loads. */
const loadedOf = async (name: string, file: string) => {
  const script = `require(process.argv[1]); console.log(JSON.stringify(Object.keys(require.cache).filter((each) => each.includes(process.argv[2]))))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, file, `/node_modules/${name}/`]);
  return JSON.parse(stdout) as unknown;
};

// The OpenAPI document is written without this package, which would add a quarter of a second to each start.
it.each(['app', 'indexer.app', 'config'])('%s does not load Swagger', async (name) => {
  expect(await loadedOf('@nestjs/swagger', path.join(__dirname, '..', 'dist', `${name}.js`))).toEqual([]);
});
