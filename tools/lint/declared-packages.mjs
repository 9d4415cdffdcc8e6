// A project imports only packages that its own package.json names.
import { isBuiltin } from 'node:module';
import { eachImport, packageOf } from './imports.mjs';
import { fromRoot, isTest, projectOf } from './projects.mjs';

export const declaredPackages = {
  create(context) {
    const own = projectOf(context.filename);
    if (own === undefined) return {};
    const forTests = isTest(context.filename) || fromRoot(context.filename).includes('/fixtures/');
    const declared = new Set([own.name, ...own.dependencies, ...(forTests ? own.devDependencies : [])]);
    return eachImport((node, specifier) => {
      const name = packageOf(specifier);
      if (name === undefined || isBuiltin(specifier) || declared.has(name)) return;
      const message = `${name} is not one of the ${forTests ? '' : 'run-time '}dependencies of ${own.folder}.`;
      context.report({ node, message });
    });
  },
};
