// Finds everything that a file imports.

/**
 * Returns a visitor that calls `check` with the node and specifier of each import, re-export, `import()`, import type
 * and `require`.
 */
export function eachImport(check) {
  const checkSource = ({ source }) => {
    if (typeof source?.value === 'string') check(source, source.value);
  };
  return {
    ImportDeclaration: checkSource,
    ExportNamedDeclaration: checkSource,
    ExportAllDeclaration: checkSource,
    ImportExpression: checkSource,
    TSImportType: checkSource,
    TSExternalModuleReference: ({ expression }) => {
      check(expression, expression.value);
    },
    CallExpression: ({ callee, arguments: [name] }) => {
      if (callee.name === 'require' && typeof name?.value === 'string') check(name, name.value);
    },
  };
}

/** Returns `@scope/name` or `name` of a specifier, or undefined if it is the path of a file. */
export function packageOf(specifier) {
  return /^(?![./])(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
}
