import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';

const folder = new URL('../../src/dashboard/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const found = (pattern: string): string[] => globSync(pattern, { cwd: folder }).sort();

const sheets = found('**/*.css').filter((name) => name !== 'style.css');
const ownSheets = sheets.filter((name) => !name.startsWith('style/'));

/** uPlot draws elements of its own. */
const FOREIGN = /^(uplot|u-[a-z-]+)$/;

const classesIn = (sheet: string): string[] =>
  [
    ...read(sheet)
      .replaceAll(/\/\*[\s\S]*?\*\//g, '')
      .matchAll(/\.([a-z][\w-]*)/g),
  ].map(([, name]) => name ?? '');

const kebab = (name: string): string => name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

/** The file beside a stylesheet. */
const sourceOf = (sheet: string): string =>
  [sheet.replace(/css$/, 'tsx'), sheet.replace(/css$/, 'ts')].find((name) => existsSync(new URL(name, folder))) ?? '';

/** The names of a file and of the components in it, with which its classes begin. */
const namesIn = (source: string): string[] => [
  basename(source).replace(/\.tsx?$/, ''),
  ...[...read(source).matchAll(/^(?:export )?function ([A-Z]\w*)/gm)].map(([, name]) => kebab(name ?? '')),
];

const belongsTo = (name: string, component: string): boolean => name === component || name.startsWith(`${component}-`);

test('every stylesheet of a component stands beside it, and style.css brings in each once', () => {
  assert.ok(ownSheets.length > 40);
  for (const sheet of ownSheets) assert.ok(sourceOf(sheet), sheet);
  const imported = [...read('style.css').matchAll(/@import "\.\/([^"]+)"/g)].map(([, name]) => name ?? '');
  assert.deepEqual(imported.toSorted(), sheets);
});

test('a class begins with the name of its component, says a state, or is one of the few for all', () => {
  const shared = sheets.filter((sheet) => !ownSheets.includes(sheet)).flatMap(classesIn);
  const components = [...found('**/*.tsx'), ...ownSheets.map(sourceOf)].flatMap(namesIn);
  for (const sheet of ownSheets) {
    const own = classesIn(sheet).filter((name) =>
      namesIn(sourceOf(sheet)).some((component) => belongsTo(name, component)),
    );
    assert.ok(own.length > 0, `${sheet} has no class of its own`);
    for (const name of classesIn(sheet)) {
      const isKnown = shared.includes(name) || components.some((component) => belongsTo(name, component));
      assert.ok(isKnown || name.startsWith('is-') || FOREIGN.test(name), `${sheet} has .${name}`);
    }
  }
});

test('a class that is for all is no component of its own, which would look like it', () => {
  const shared = new Set(classesIn('style/shared.css'));
  assert.deepEqual(
    ownSheets.filter((sheet) => shared.has(basename(sheet, '.css'))),
    [],
  );
});

test('no stylesheet is longer than 250 lines', () => {
  for (const sheet of sheets) assert.ok(read(sheet).split('\n').length <= 250, sheet);
});

test('every class that a component has is styled, and every class that is styled is had by a component', () => {
  const styled = new Set(sheets.flatMap(classesIn).filter((name) => !FOREIGN.test(name)));
  const source = found('**/*.tsx').map(read).join('\n');
  const attributes = [...source.matchAll(/\b(?:class|buttonClass)(?:=|: name = )("[^"]*"|\{(?:[^{}]|\{[^{}]*\})*\})/g)];
  const had = attributes.flatMap(([, value = '']) =>
    value.startsWith('"')
      ? value.slice(1, -1).split(' ')
      : [...value.matchAll(/'([^']*)'|`([^`$]*)/g)].flatMap(([, quoted, template]) =>
          (quoted ?? template ?? '').split(' '),
        ),
  );
  const words = had.filter((name) => /^[a-z][\w-]*[a-z\d]$/.test(name));
  assert.ok(words.length > 200);
  assert.deepEqual(
    [...new Set(words)].filter((name) => !styled.has(name)),
    [],
  );
  // Shades are numbered.
  const isHad = (name: string) => /^is-\d$/.test(name) || words.includes(name);
  assert.deepEqual(
    [...styled].filter((name) => !isHad(name)),
    [],
  );
});
