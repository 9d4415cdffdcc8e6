// Who may import whom follows from the `type:` tags in project.json.
import path from 'node:path';
import { eachImport, packageOf } from './imports.mjs';
import { isTest, projectNamed, projectOf } from './projects.mjs';

/** The types of project that each type may import besides itself. No app is in any list: an app never imports an app. */
const mayImport = {
  pure: [],
  // Runs where none of ours does: in pages, mobile applications and bots.
  client: [],
  lib: ['pure', 'lib'],
  app: ['pure', 'lib'],
  testing: ['pure'],
  tool: ['pure', 'testing', 'client'],
};

/** What tests may import: `client` is tried against the app, and its types against `contracts`. */
const testsMayImport = Object.fromEntries(
  Object.entries({ ...mayImport, app: [...mayImport.app, 'client'], client: ['pure'] }).map(([type, types]) => [
    type,
    [...types, 'testing'],
  ]),
);

export const boundaries = {
  create(context) {
    const own = projectOf(context.filename);
    if (own === undefined) return {};
    const allowed = (isTest(context.filename) ? testsMayImport : mayImport)[own.type];
    return eachImport((node, specifier) => {
      const other = specifier.startsWith('.')
        ? projectOf(path.resolve(path.dirname(context.filename), specifier, '.file'))
        : projectNamed(packageOf(specifier));
      if (other === undefined || other === own || allowed.includes(other.type)) return;
      const message = `${own.folder} (type:${own.type}) may not import ${other.folder} (type:${other.type}).`;
      context.report({ node, message });
    });
  },
};
