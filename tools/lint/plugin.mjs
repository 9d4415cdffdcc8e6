// The rules of this workspace that the linter does not bring itself: see .oxlintrc.json.
import { boundaries } from './boundaries.mjs';
import { declaredPackages } from './declared-packages.mjs';
import { fewPackages } from './few-packages.mjs';
import { pureGlobals } from './pure-globals.mjs';
import { typeImports } from './type-imports.mjs';

export default {
  meta: { name: 'waggle' },
  rules: {
    boundaries,
    'declared-packages': declaredPackages,
    'few-packages': fewPackages,
    'pure-globals': pureGlobals,
    'type-imports': typeImports,
  },
};
