// SQL is a `Statement`, which a test of its service compares with the migrated schema. Migrations make that schema.
import { fromRoot, isTest } from './projects.mjs';

const checked = /^apps\/[^/]+\/src\/(?!migrations\/)/;

/** What is not checked yet: the statements that the gateway's indexer derives from entities. */
const unchecked = /^apps\/rpc-gateway\/src\/indexer\/changeset\/table\.ts/;

/** Health checks and transactions have neither parameters nor columns. */
const plain = /^(SELECT 1|SELECT FROM \w+|BEGIN|COMMIT|ROLLBACK)$/;

export const checkedSql = {
  create(context) {
    const file = fromRoot(context.filename);
    if (!checked.test(file) || unchecked.test(file) || isTest(context.filename)) return {};
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
            message: 'A `Statement` is made while its module loads: tests do not find this one.',
          });
        }
      },
    };
  },
};

/** A function that is passed to another one, at the head of a module, makes variants of a statement while that loads. */
function isInFunction(node) {
  for (let outer = node.parent; outer != null; outer = outer.parent) {
    if (outer.type.includes('Function') && !outer.parent.arguments?.includes(outer)) return true;
  }
  return false;
}

/** An `Executor` passes statements on. */
function isInExecutor(node) {
  for (let outer = node.parent; outer != null; outer = outer.parent) {
    if (outer.type === 'MethodDefinition') return outer.key.name === 'query';
  }
  return false;
}
