import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expand, parseCommand, parseDockerfile, parsePairs } from './dockerfile';

it('reads stages, flags, comments and lines that go on', () => {
  const { arguments: before, stages } = parseDockerfile(
    [
      '# syntax=docker/dockerfile:1',
      'ARG BASE=node:1',
      'FROM --platform=$BUILDPLATFORM ${BASE} AS build',
      'RUN --mount=type=cache,target=/x make \\',
      '  # not this one',
      '  all',
      '',
      'FROM build',
      'COPY --from=build /a /b',
    ].join('\n'),
  );
  expect(before.map(({ text }) => text)).toEqual(['BASE=node:1']);
  expect(stages.map(({ base, name }) => [base, name])).toEqual([
    ['${BASE}', 'build'],
    ['build', ''],
  ]);
  expect(stages[0]?.instructions[0]?.text).toBe('make all');
  expect(stages[1]?.instructions[0]?.flags.get('from')).toBe('build');
});

it('refuses what no engine would take', () => {
  expect(() => parseDockerfile('WORKDIR /x\n')).toThrow(/before the first FROM/);
  expect(() => parseDockerfile('hello\n')).toThrow(/no instruction/);
  expect(() => parseCommand('"node"')).toThrow(/JSON array/);
});

it('replaces variables and reads pairs', () => {
  expect(expand('apps/${APP}/$NAME-$NONE', new Map(Object.entries({ APP: 'chat', NAME: 'x' })))).toBe('apps/chat/x-');
  expect(parsePairs('a.b="one ${two}" C=3 D')).toEqual([
    ['a.b', 'one ${two}'],
    ['C', '3'],
    ['D', undefined],
  ]);
});

it('runs no install script of a package in any stage of ours', () => {
  const ours = parseDockerfile(readFileSync(path.resolve(__dirname, '../../../docker/Dockerfile'), 'utf8'));
  const installs = ours.stages
    .flatMap(({ instructions }) => instructions)
    .filter(({ name, text }) => name === 'RUN' && /\bnpm\b/.test(text));
  expect(installs.length).toBeGreaterThan(1);
  for (const { text } of installs) expect(text).toMatch(/npm ci --ignore-scripts /);
});
