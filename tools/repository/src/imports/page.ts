import path from 'node:path';
import { findCircle, type Imports, readImports } from './imports';

const introduction = `# Imports between feature folders

An arrow points from a folder of the app's \`src\` to one that it imports. An import that follows from other arrows is not
drawn. The files directly in \`src\` are left out: they put the folders together or, like \`config.ts\`, are used by many.

A test fails if this page is outdated, or if folders of any app, library or tool import each other in a circle. Update the
page with \`npx nx run repository:describe\`.
`;

/** Writes `docs/imports.md`: a picture for each app. @throws Error if folders import each other in a circle */
export function importsPage(root: string, apps: readonly string[]): string {
  const sections = apps.map((app) => {
    const imports = readImports(path.join(root, 'apps', app, 'src'));
    const circle = findCircle(imports);
    if (circle.length > 0) throw new Error(`${app} has a circle of imports:\n${circle.join('\n')}`);
    return `## ${app}\n\n\`\`\`mermaid\n${flowChartOf(imports)}\n\`\`\`\n`;
  });
  return [introduction, ...sections].join('\n');
}

/** A Mermaid flow chart, which a renderer lays out from top to bottom. */
function flowChartOf(imports: Imports): string {
  const folders = [...imports.keys()].filter((name) => !name.endsWith('.ts'));
  const importsOf = (name: string) => folders.filter((other) => imports.get(name)?.has(other));
  const reachableFrom = (name: string): string[] =>
    importsOf(name).flatMap((imported) => [imported, ...reachableFrom(imported)]);
  const lines = folders.flatMap((name) => {
    const implied = new Set(importsOf(name).flatMap(reachableFrom));
    const arrows = importsOf(name).filter((imported) => !implied.has(imported));
    return arrows.map((imported) => `  ${name} --> ${imported}`);
  });
  const isAlone = (name: string) => !lines.some((line) => line.split(' ').includes(name));
  return ['flowchart TD', ...lines, ...folders.filter(isAlone).map((name) => `  ${name}`)].join('\n');
}
