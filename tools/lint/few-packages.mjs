// Pure libraries and clients import only these packages and modules. Others may be a framework, or open files or
// connections.
import { eachImport, packageOf } from './imports.mjs';
import { fromRoot, isTest, projectOf } from './projects.mjs';

/** The last file or folder that matches counts. */
const packagesOf = [
  ['libs/contracts/', ['zod']],
  ['libs/signatures/', ['@noble/curves', '@noble/hashes', '@scure/base', 'node:crypto']],
  // `createRequire` can load anything; only this file needs it, for the bindings of libsecp256k1.
  ['libs/signatures/src/native-secp256k1.ts', ['node:module']],
  ['libs/client/src/index.ts', ['ws']],
];

const reasons = {
  pure: 'A pure library imports no framework and does no input or output',
  client: 'A client has no dependency but `ws`, on Node',
};

export const fewPackages = {
  create(context) {
    const own = projectOf(context.filename);
    const file = fromRoot(context.filename);
    if (!(own?.type in reasons) || !file.startsWith(`${own.folder}/src/`) || isTest(context.filename)) return {};
    const message = `${reasons[own.type]}: see tools/lint/few-packages.mjs.`;
    const allowed = packagesOf.findLast(([path]) => file.startsWith(path))?.[1] ?? [];
    return {
      ...eachImport((node, specifier) => {
        const name = packageOf(specifier);
        if (name !== undefined && !allowed.includes(name)) context.report({ node, message });
      }),
      ImportExpression(node) {
        context.report({ node, message });
      },
    };
  },
};
