// A project imports only packages that its own package.json names. What becomes part of its build, such as styles, is
// none of its dependencies at run time.
import { isBuiltin } from 'node:module';
import { eachImport, packageOf } from './imports.mjs';
import { fromRoot, isTest, projectNamed, projectOf } from './projects.mjs';

export const declaredPackages = {
  create(context) {
    const own = projectOf(context.filename);
    if (own === undefined) return {};
    const forTests = isTest(context.filename) || fromRoot(context.filename).includes('/fixtures/');
    const declared = new Set([own.name, ...own.dependencies, ...(forTests ? own.devDependencies : [])]);
    // The build of web components includes all packages.
    const isIncluded = (name) =>
      own.devDependencies.includes(name) && (own.type === 'element' || projectNamed(name)?.type === 'design');
    return eachImport((node, specifier) => {
      const name = packageOf(specifier);
      if (name === undefined || isBuiltin(specifier) || declared.has(name) || isIncluded(name)) return;
      const message = `${name} is not one of the ${forTests ? '' : 'run-time '}dependencies of ${own.folder}.`;
      context.report({ node, message });
    });
  },
};
