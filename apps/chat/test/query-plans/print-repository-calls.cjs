// Prints the places in the sources of the chat that call TypeORM's repositories, such as `SessionsStore.create`, as JSON.
const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');
const ts = require('typescript');

const sources = path.join(__dirname, '../../src');

const places = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
  .flatMap((name) => {
    const text = readFileSync(path.join(sources, name), 'utf8');
    return callsIn(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  });
console.log(JSON.stringify(places));

function callsIn(file) {
  const repositories = repositoriesIn(file);
  const calls = [];
  visit(file, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    if (repositories.has(node.expression.expression.getText(file))) calls.push(placeOf(node));
  });
  return calls;
}

/** Returns the expressions for the repositories that are injected into a class of the file. */
function repositoriesIn(file) {
  const names = new Set();
  visit(file, (node) => {
    const isRepository = ts.isParameter(node) && node.type?.getText(file).startsWith('Repository<');
    if (isRepository) names.add(`this.${node.name.getText(file)}`);
  });
  return names;
}

/** Returns the class and method, or the function, that contains a node. */
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
