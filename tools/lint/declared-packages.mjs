// A project imports only packages that its own package.json names. Styles become part of its build, so they are none of
// its dependencies at run time.
import { isBuiltin } from 'node:module';
import { eachImport, packageOf } from './imports.mjs';
import { fromRoot, isTest, projectNamed, projectOf } from './projects.mjs';

export const declaredPackages = {
  create(context) {
    const own = projectOf(context.filename);
    if (own === undefined) return {};
    const forTests = isTest(context.filename) || fromRoot(context.filename).includes('/fixtures/');
    const declared = new Set([own.name, ...own.dependencies, ...(forTests ? own.devDependencies : [])]);
    const isIncluded = (name) => projectNamed(name)?.type === 'design' && own.devDependencies.includes(name);
    return eachImport((node, specifier) => {
      const name = packageOf(specifier);
      if (name === undefined || isBuiltin(specifier) || declared.has(name) || isIncluded(name)) return;
      const message = `${name} is not one of the ${forTests ? '' : 'run-time '}dependencies of ${own.folder}.`;
      context.report({ node, message });
    });
  },
};
