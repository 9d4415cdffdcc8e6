// Rules for oxlint (see .oxlintrc.json).
import { boundaries } from './boundaries.mjs';
import { checkedSql } from './checked-sql.mjs';
import { commentWidth } from './comment-width.mjs';
import { declaredPackages } from './declared-packages.mjs';
import { entityColumns } from './entity-columns.mjs';
import { fewPackages } from './few-packages.mjs';
import { privateMembers } from './private-members.mjs';
import { pureGlobals } from './pure-globals.mjs';
import { returnTypes } from './return-types.mjs';
import { typeImports } from './type-imports.mjs';

export default {
  meta: { name: 'waggle' },
  rules: {
    boundaries,
    'checked-sql': checkedSql,
    'comment-width': commentWidth,
    'declared-packages': declaredPackages,
    'entity-columns': entityColumns,
    'few-packages': fewPackages,
    'private-members': privateMembers,
    'pure-globals': pureGlobals,
    'return-types': returnTypes,
    'type-imports': typeImports,
  },
};
