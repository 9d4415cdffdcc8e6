// Every form in which a file can name another.

/** The visitor that calls `check` with the node and the text of each import, re-export, `import()`, import type and `require`. */
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

/** `@scope/name` or `name`, without the path behind it; undefined for a file's path. */
export function packageOf(specifier) {
  return /^(?![./])(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
}
