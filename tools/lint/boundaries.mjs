// Checks which project imports which, by the `type:` tags in project.json.
import path from 'node:path';
import { eachImport, packageOf } from './imports.mjs';
import { isTest, projectNamed, projectOf } from './projects.mjs';

/** The types that a type of project may import, besides itself. No list contains `app`: an app never imports an app. */
const mayImport = {
  pure: [],
  // Styles and pictures.
  design: [],
  // Runs in pages, mobile applications and bots.
  client: [],
  // Web components, which run in pages.
  element: ['client', 'design'],
  // Built into static files, which an app serves.
  page: ['design'],
  // Input and output without a framework.
  core: ['pure'],
  lib: ['pure', 'core', 'lib'],
  app: ['pure', 'core', 'lib'],
  testing: ['pure'],
  devnet: ['pure', 'testing'],
  // What tools share. A tool does not import another one.
  running: ['pure', 'testing', 'devnet', 'client'],
  tool: ['pure', 'testing', 'devnet', 'running', 'client', 'element'],
};

/** The types that tests may import in addition. */
const testsAlsoImport = {
  client: ['pure'],
  core: ['testing', 'devnet'],
  element: ['testing'],
  lib: ['testing', 'devnet'],
  app: ['client', 'testing', 'devnet'],
};

export const boundaries = {
  create(context) {
    const own = projectOf(context.filename);
    if (own === undefined) return {};
    const allowed = [...mayImport[own.type], ...(isTest(context.filename) ? (testsAlsoImport[own.type] ?? []) : [])];
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
