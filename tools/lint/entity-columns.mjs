// The type of a property is what its decorator declares, since statements take the types of their rows from it.
import { isTest } from './projects.mjs';

const propertyTypes = {
  bigint: 'bigint',
  boolean: 'boolean',
  bytea: 'Buffer',
  'double precision': 'number',
  real: 'number',
  int: 'number',
  numeric: 'bigint',
  smallint: 'number',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
};

export const entityColumns = {
  create(context) {
    if (isTest(context.filename)) return {};
    return {
      PropertyDefinition(node) {
        for (const { expression } of node.decorators) {
          if (!['Column', 'PrimaryColumn'].includes(expression.callee?.name)) continue;
          const declared = expectedType(expression.arguments);
          const actual = context.sourceCode.getText(node.typeAnnotation?.typeAnnotation);
          if (declared === undefined || (declared !== 'any' && declared !== actual))
            context.report({
              node,
              message: `The decorator declares ${declared ?? 'an unknown type'}, not ${actual}.`,
            });
        }
      },
    };
  },
};

/** The TypeScript type of a column: of the literals in `'text', { nullable: true }` or `{ type: 'text', … }`. */
function expectedType([first, second]) {
  const options = optionsOf(first?.type === 'ObjectExpression' ? first : second);
  const type = first?.type === 'Literal' ? first.value : options.get('type');
  // The compiler cannot know the document.
  if (type === 'jsonb') return 'any';
  const element = propertyTypes[type];
  if (element === undefined) return undefined;
  const isArray = options.get('array') === true;
  return `${isArray ? `readonly ${element}[]` : element}${options.get('nullable') === true ? ' | null' : ''}`;
}

function optionsOf(node) {
  return new Map((node?.properties ?? []).map(({ key, value }) => [key.name, value.value]));
}
