// Pure libraries use no globals that do input or output.
import { isTest, fromRoot, projectOf } from './projects.mjs';

const impure = new Set(['require', 'module', 'process', 'fetch', 'WebSocket', 'EventSource']);
const globalObjects = new Set(['globalThis', 'global', 'self', 'window']);

export const pureGlobals = {
  create(context) {
    const own = projectOf(context.filename);
    const file = fromRoot(context.filename);
    if (own?.type !== 'pure' || !file.startsWith(`${own.folder}/src/`) || isTest(context.filename)) return {};
    const report = (node, name) => {
      context.report({ node, message: `A pure library does no input or output, so it may not use \`${name}\`.` });
    };
    return {
      Program() {
        const { globalScope } = context.sourceCode.scopeManager;
        const ofGlobals = [...globalScope.variables.flatMap(({ references }) => references), ...globalScope.through];
        for (const { identifier, isTypeReference } of ofGlobals)
          if (!isTypeReference && impure.has(identifier.name)) report(identifier, identifier.name);
      },
      MemberExpression({ object, property, computed }) {
        const name = computed ? property.value : property.name;
        if (globalObjects.has(object.name) && impure.has(name)) report(property, name);
      },
    };
  },
};
