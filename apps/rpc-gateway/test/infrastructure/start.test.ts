import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

/** Loads files of the build in a process of its own, and returns the modules of a package that they load. */
const loadedOf = async (name: string, files: readonly string[]) => {
  const script = `const [part, ...files] = process.argv.slice(1); files.forEach(require); console.log(JSON.stringify(Object.keys(require.cache).filter((each) => each.includes(part))))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, `/node_modules/${name}/`, ...files]);
  return JSON.parse(stdout) as unknown;
};

// The OpenAPI document is written without this package, which would add a quarter of a second to each start.
it('does not load Swagger', async () => {
  const files = ['app', 'indexer.app', 'config'].map((name) => path.join(__dirname, '../../dist', `${name}.js`));
  expect(await loadedOf('@nestjs/swagger', files)).toEqual([]);
});
