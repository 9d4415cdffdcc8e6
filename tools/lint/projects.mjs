// The projects of the workspace, with the `type:` tag of each.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');

/** The folder, type, package name and declared packages of each project. */
const projects = ['apps', 'libs', 'tools']
  .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`))
  .filter((folder) => existsSync(path.join(root, folder, 'project.json')))
  .map((folder) => {
    const { tags } = readJson(folder, 'project.json');
    const { name, dependencies, peerDependencies, devDependencies } = readJson(folder, 'package.json');
    return {
      folder,
      type: tags.find((tag) => tag.startsWith('type:')).slice('type:'.length),
      name,
      dependencies: Object.keys({ ...dependencies, ...peerDependencies }),
      devDependencies: Object.keys(devDependencies ?? {}),
    };
  });

function readJson(folder, file) {
  return JSON.parse(readFileSync(path.join(root, folder, file), 'utf8'));
}

/** Returns the path relative to the root, with slashes. */
export function fromRoot(file) {
  return path.relative(root, file).split(path.sep).join('/');
}

/** Finds the project that contains a file. */
export function projectOf(file) {
  const inRoot = fromRoot(file);
  return projects.find(({ folder }) => inRoot.startsWith(`${folder}/`));
}

/** Finds the project of a package. */
export function projectNamed(packageName) {
  return projects.find(({ name }) => name === packageName);
}

/** Whether a file is a test or a helper of tests. */
export function isTest(file) {
  return /\.spec\.ts$|\/test\/.*\.ts$/.test(fromRoot(file));
}
