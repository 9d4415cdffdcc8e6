// Private members are `#members` in code that runs in other people's pages, so that the page cannot reach them, and
// `private` in code that runs on Node. Parameter properties and members with a decorator cannot be `#members`.
import { projectOf } from './projects.mjs';

const typesInPages = new Set(['client', 'element', 'page']);

export const privateMembers = {
  create(context) {
    const project = projectOf(context.filename);
    if (project === undefined) return {};
    const isInPages = typesInPages.has(project.type);
    const check = (node) => {
      if (!isInPages && node.key.type === 'PrivateIdentifier')
        context.report({ node: node.key, message: 'Write `private` instead of `#`.' });
      if (isInPages && node.accessibility === 'private' && node.kind !== 'constructor' && node.decorators.length === 0)
        context.report({ node: node.key, message: 'Write `#` instead of `private`.' });
    };
    return { PropertyDefinition: check, MethodDefinition: check };
  },
};
