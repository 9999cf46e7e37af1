// The classes of a component begin with its name, so that two components never share one by accident. CSS modules of esbuild
// would do this too, but with minified names, by which browser tests cannot find elements. The first view would have 58,922
// bytes in place of 58,887, and would still need all sheets: esbuild does not load the sheet of a lazy script. So the sheets
// of all lazy scripts are in later.css, which ui/lazy.tsx loads with the first of them.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { writePage } from '../../src/forms/html.ts';
import { html } from '../../src/lib/http/markup.ts';
import { findFirstModules } from '../support/first-modules.ts';

const folder = new URL('../../src/dashboard/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const found = (pattern: string): string[] => globSync(pattern, { cwd: folder }).sort();

/** The two lists of sheets: for the first view, and for what is loaded later. */
const LISTS = ['style.css', 'later.css'] as const;
const sheets = found('**/*.css').filter((name) => !(LISTS as readonly string[]).includes(name));
const sheetsIn = (list: (typeof LISTS)[number]): string[] =>
  [...read(list).matchAll(/@import "\.\/([^"]+)"/g)].map(([, name]) => name ?? '');
const ownSheets = sheets.filter((name) => !name.startsWith('style/'));

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

test('every stylesheet of a component stands beside it, and style.css or later.css brings in each once', () => {
  assert.ok(ownSheets.length > 40);
  for (const sheet of ownSheets) assert.ok(sourceOf(sheet), sheet);
  assert.deepEqual(LISTS.flatMap(sheetsIn).toSorted(), sheets);
});

test('first view: no class of the first script is styled in later.css only', () => {
  const first = new Set(sheetsIn('style.css').flatMap(classesIn));
  const later = new Set(
    sheetsIn('later.css')
      .flatMap(classesIn)
      .filter((name) => !first.has(name)),
  );
  const modules = findFirstModules();
  assert.ok(modules.length > 60 && later.size > 50);
  const words = modules.flatMap((module) =>
    [...readFileSync(module, 'utf8').matchAll(/\b(?:class|buttonClass)=(?:"([^"]*)"|\{([^}]*)\})/g)].flatMap(
      ([, plain = '', code = '']) => `${plain} ${code}`.split(/[^\w-]+/),
    ),
  );
  assert.ok(words.includes('panel-bar'));
  assert.deepEqual(
    [...new Set(words)].filter((word) => later.has(word)),
    [],
  );
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
      assert.ok(isKnown || name.startsWith('is-'), `${sheet} has .${name}`);
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
  const styled = new Set(sheets.flatMap(classesIn));
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

/** A space of the tokens, perhaps to the other side, or none. A border may lie on its neighbour. */
const SPACE = String.raw`(?:calc\(-1 \* var\(--space-\w+\)\)|var\(--space-\w+\)|auto|0|-1px)`;
const RADIUS = String.raw`(?:var\(--radius(?:-\w+)?\)|0)`;
/** What the values of properties look like. All others may have any value. */
const SCALES = {
  '(?:margin|padding)(?:-[a-z-]+)?|(?:row-|column-)?gap': `${SPACE}(?: ${SPACE})*`,
  'border-(?:[a-z-]+-)?radius': `${RADIUS}(?: ${RADIUS})*`,
  'font-size': String.raw`var\(--text(?:-\w+)?\)|inherit`,
  'font-weight': '[456]00|inherit',
};

/** Paper is measured in millimetres, and has all sizes of a screen a little smaller. */
const EXCEPTIONS: Record<string, string[]> = { 'style/media.css': ['margin: 12mm', 'font-size: 87.5%'] };

const withoutComments = (css: string): string => css.replaceAll(/\/\*[\s\S]*?\*\//g, '');

/** The declarations of a sheet that are not on their scale. */
const offScale = (css: string): string[] =>
  Object.entries(SCALES).flatMap(([property, value]) =>
    [...withoutComments(css).matchAll(new RegExp(String.raw`(?<![\w-])(?:${property}): *([^;{}]*)`, 'g'))]
      .filter(([, found = '']) => !new RegExp(`^(?:${value})$`).test(found.trim()))
      .map(([declaration]) => declaration.trim()),
  );

test('spaces, radii, weights and sizes of text are those of the tokens, in the dashboard and in forms', async () => {
  const page = await writePage({ language: 'en', status: 200, title: 'Title', body: html`` }).text();
  const [, forms = ''] = /<style>([\s\S]*)<\/style>/.exec(page) ?? [];
  const all = new Map([...sheets.map((sheet) => [sheet, read(sheet)] as const), ['forms', forms]]);
  assert.ok(forms.includes('margin: 0 0 var(--space-4)') && forms.includes('--space-4: 1rem;'));
  assert.deepEqual(offScale('a { margin: 0 1rem; font-size: 14px }'), ['margin: 0 1rem', 'font-size: 14px']);
  for (const [name, css] of all) assert.deepEqual(offScale(css), EXCEPTIONS[name] ?? [], name);
});
