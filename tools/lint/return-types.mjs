// Requires a return type on each function with a body of statements. Exempt are functions that return a literal or
// another function, whose type is read there, and functions inside of others.
import { isTest } from './projects.mjs';

const literals = new Set(['ObjectExpression', 'ArrowFunctionExpression']);

export const returnTypes = {
  create(context) {
    if (isTest(context.filename)) return {};
    const open = [];
    const enter = (node) => open.push({ node, returnsLiteral: false });
    const exit = () => {
      const { node, returnsLiteral } = open.pop();
      if (node.returnType == null && node.body?.type === 'BlockStatement' && !returnsLiteral && isNamed(node))
        context.report({ node: node.body, message: 'State the return type.' });
    };
    return {
      FunctionDeclaration: enter,
      FunctionExpression: enter,
      ArrowFunctionExpression: enter,
      ReturnStatement({ argument }) {
        if (literals.has(argument?.type)) open.at(-1).returnsLiteral = true;
      },
      'FunctionDeclaration:exit': exit,
      'FunctionExpression:exit': exit,
      'ArrowFunctionExpression:exit': exit,
    };
  },
};

/** A declaration, a method, a getter, or a variable of the module that has no type of its own. */
function isNamed({ type, parent }) {
  if (type === 'FunctionDeclaration') return true;
  if (parent.type === 'MethodDefinition') return !['constructor', 'set'].includes(parent.kind);
  return parent.type === 'VariableDeclarator' && parent.id.typeAnnotation == null && isOfModule(parent.parent);
}

function isOfModule({ parent }) {
  return ['Program', 'ExportNamedDeclaration'].includes(parent.type);
}
