// Who may import whom follows from the `type:` tags in project.json.
import path from 'node:path';
import { eachImport, packageOf } from './imports.mjs';
import { isTest, projectNamed, projectOf } from './projects.mjs';

/** The types of project that each type may import besides itself. No app is in any list: an app never imports an app. */
const mayImport = {
  pure: [],
  // Runs where none of ours does: in pages, mobile applications and bots.
  client: [],
  // Web components, which run in pages.
  element: ['client'],
  // Built into static files, which an app serves.
  page: [],
  // Input and output without a framework: what it reports, the services log and count.
  core: ['pure'],
  lib: ['pure', 'core', 'lib'],
  app: ['pure', 'core', 'lib'],
  testing: ['pure'],
  devnet: ['pure', 'testing'],
  // What the commands of `tools` share. None of them imports another.
  running: ['pure', 'testing', 'devnet', 'client'],
  tool: ['pure', 'testing', 'devnet', 'running', 'client'],
};

/** What tests import besides: test servers, the devnet, and what they compare the project with. */
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
