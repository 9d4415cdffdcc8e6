// Prints every call of `query` and `execute`, and of TypeORM's repositories, in the sources of the chat but for migrations, as JSON:
// [{name, pattern}]. `name` is that by which the statement is prepared, else where it stands, such as `SessionsStore.create`;
// `pattern` a regular expression for its text, or null where TypeORM writes it.
const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');
const ts = require('typescript');

const sources = path.join(__dirname, '../../src');

const found = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.startsWith('migrations'))
  .sort()
  .flatMap((name) => {
    const text = readFileSync(path.join(sources, name), 'utf8');
    return statementsIn(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  });
console.log(JSON.stringify(found));

function statementsIn(file) {
  const constants = constantsOf(file);
  const repositories = repositoriesIn(file);
  const statements = [];
  visit(file, (node) => {
    if (!ts.isCallExpression(node)) return;
    if (node.expression.getText(file) === 'execute') statements.push(...ofQuery(node, node.arguments[1], constants));
    if (!ts.isPropertyAccessExpression(node.expression)) return;
    const { name, expression: target } = node.expression;
    // There what it is given is queried.
    const isQuery = name.text === 'query' && file.fileName !== 'messages/execution.ts';
    if (isQuery) statements.push(...ofQuery(node, node.arguments[0], constants));
    if (repositories.has(target.getText(file))) statements.push({ name: placeOf(node), pattern: null });
  });
  return statements;
}

function ofQuery(call, statement, constants) {
  if (!ts.isObjectLiteralExpression(statement)) return named(placeOf(call), patternOf(statement, constants));
  const [name, text] = [propertyOf(statement, 'name'), propertyOf(statement, 'text')];
  if (text === undefined) throw new Error(`${placeOf(call)} queries what has no text`);
  return named(name === undefined ? placeOf(call) : name.text, patternOf(text, constants));
}

function named(name, pattern) {
  if (/^(BEGIN|COMMIT|ROLLBACK)$/.test(pattern)) return [];
  if (/^(\[\^\]\*)*$/.test(pattern)) throw new Error(`${name} executes what only another file knows`);
  return [{ name, pattern: `^${pattern}$` }];
}

/** What only another file knows may be anything. */
function patternOf(text, constants) {
  if (ts.isStringLiteralLike(text)) return escaped(text.text);
  if (ts.isIdentifier(text) && constants.has(text.text)) return patternOf(constants.get(text.text), constants);
  if (!ts.isTemplateExpression(text)) return '[^]*';
  const spans = text.templateSpans.map((span) => patternOf(span.expression, constants) + escaped(span.literal.text));
  return escaped(text.head.text) + spans.join('');
}

function escaped(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function propertyOf(object, key) {
  return object.properties.find((property) => property.name?.getText() === key)?.initializer;
}

/** The constants of the file whose values are texts. */
function constantsOf(file) {
  const declarations = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations);
  const isText = (node) => node !== undefined && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node));
  return new Map(
    declarations
      .filter(({ initializer }) => isText(initializer))
      .map(({ name, initializer }) => [name.getText(file), initializer]),
  );
}

/** How the file calls the repositories that are injected into it. */
function repositoriesIn(file) {
  const names = new Set();
  visit(file, (node) => {
    const isRepository = ts.isParameter(node) && node.type?.getText(file).startsWith('Repository<');
    if (isRepository) names.add(`this.${node.name.getText(file)}`);
  });
  return names;
}

/** The class and method, or the function, that a node stands in. */
function placeOf(node) {
  const names = [];
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    const isPlace = ts.isClassDeclaration(at) || ts.isMethodDeclaration(at) || ts.isFunctionDeclaration(at);
    if (isPlace && at.name !== undefined) names.unshift(at.name.getText());
  }
  return names.join('.');
}

function visit(node, see) {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}
