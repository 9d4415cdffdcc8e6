// Requires `type` for imports that are used only as types, except in files with decorators: Nest reads the types in the
// signatures of decorated classes at run time. The linter's own rule has no such exception.

const message = 'Used as a type only: import it with `type`.';

export const typeImports = {
  create(context) {
    let decorated = false;
    const found = [];
    return {
      Decorator() {
        decorated = true;
      },
      ImportDeclaration(node) {
        if (node.importKind === 'type') return;
        for (const specifier of node.specifiers) {
          const references = context.sourceCode
            .getDeclaredVariables(specifier)
            .flatMap((variable) => variable.references);
          if (specifier.importKind !== 'type' && references.length > 0 && references.every(isOfType))
            found.push(specifier);
        }
      },
      TSImportType(node) {
        context.report({ node, message: 'Import types at the head of the file.' });
      },
      'Program:exit'() {
        if (!decorated) for (const node of found) context.report({ node, message });
      },
    };
  },
};

function isOfType(reference) {
  return reference.isValueReference ? isInTypeQuery(reference.identifier) : reference.isTypeReference;
}

/** `typeof name`, or of something in it. */
function isInTypeQuery(node) {
  const { parent } = node;
  if (parent.type === 'TSQualifiedName') return parent.left === node && isInTypeQuery(parent);
  return parent.type === 'TSTypeQuery';
}
