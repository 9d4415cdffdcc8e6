// SQL is a `Statement`, which a test compares with the migrated schema. Migrations create that schema, so they are
// exempt.
import { fromRoot, isTest } from './projects.mjs';

const checked = /^apps\/[^/]+\/src\/(?!migrations\/)/;

/** Makes statements from entities, while modules load, with rows of the entity's type. */
const fromEntities = /^apps\/rpc-gateway\/src\/indexer\/changeset\/table\.ts/;

/** Reads and writes only a temporary table, which the migrated schema lacks. */
const ofTemporaryTable = /^apps\/chat\/src\/import\/staged-posts\.ts/;

/** Statements without parameters and columns. */
const plain = /^(SELECT 1|SELECT FROM \w+|BEGIN|COMMIT|ROLLBACK)$/;

export const checkedSql = {
  create(context) {
    const file = fromRoot(context.filename);
    if (!checked.test(file) || fromEntities.test(file) || ofTemporaryTable.test(file) || isTest(context.filename))
      return {};
    return {
      CallExpression(node) {
        const [first] = node.arguments;
        if (node.callee.property?.name !== 'query' || first === undefined) return;
        if (typeof first.value === 'string' && plain.test(first.value)) return;
        if (isInExecutor(node)) return;
        if (node.typeArguments != null || ['Literal', 'TemplateLiteral', 'ObjectExpression'].includes(first.type)) {
          context.report({ node, message: 'Unchecked SQL: make it a `Statement` of @waggle/service.' });
        }
      },
      NewExpression(node) {
        if (node.callee.name === 'Statement' && isInFunction(node)) {
          context.report({
            node,
            message: 'Create a `Statement` when its module loads; tests do not find this one.',
          });
        }
      },
    };
  },
};

/** A callback at module level, such as of `map`, runs when the module loads and may create statements. */
function isInFunction(node) {
  for (let outer = node.parent; outer != null; outer = outer.parent) {
    if (outer.type.includes('Function') && !outer.parent.arguments?.includes(outer)) return true;
  }
  return false;
}

/** An `Executor` forwards statements. */
function isInExecutor(node) {
  for (let outer = node.parent; outer != null; outer = outer.parent) {
    if (outer.type === 'MethodDefinition') return outer.key.name === 'query';
  }
  return false;
}
