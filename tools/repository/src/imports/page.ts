import path from 'node:path';
import { findCycle, type Imports, readImports } from './imports';

const introduction = `# Imports between feature folders

An arrow points from a folder of the app's \`src\` to one that it imports. An import that follows from other arrows is not
drawn. The files directly in \`src\` are left out: they assemble the application from the folders, or are used by many.

A test fails if this page is outdated, or if there is an import cycle between the folders of an app, library or tool.
Update the page with \`npx nx run repository:describe\`.
`;

/** Returns the text of `docs/imports.md`: a diagram for each app. @throws Error if an app has an import cycle */
export function importsPage(root: string, apps: readonly string[]): string {
  const sections = apps.map((app) => {
    const imports = readImports(path.join(root, 'apps', app, 'src'));
    const cycle = findCycle(imports);
    if (cycle.length > 0) throw new Error(`${app} has an import cycle:\n${cycle.join('\n')}`);
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
