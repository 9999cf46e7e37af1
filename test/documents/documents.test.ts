import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { commands } from '../../src/cli/commands.ts';
import { EXPORT_FORMATS } from '../../src/exchange/export.ts';
import { FILE_FORMATS } from '../../src/exchange/formats.ts';
import { MAILED } from '../../src/mail/kinds.ts';
import { nameVariable, OPTION_NAMES } from '../../src/options.ts';
import { DIMENSIONS, FILTERS } from '../../src/stats/dimensions.ts';
import { MESSAGE_KINDS } from '../../src/store/sites/destinations.ts';
import { DOCUMENTS, examplesIn, fencesIn, PAGES, ROOT, sectionOf, textOf, withoutFences } from './documents.ts';

/** What a heading is called in an address, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/[`*]|\]\([^)]*\)|\[/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsIn = (text: string): string[] =>
  [...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Where a document leads within the project: links and pictures. */
const targetsIn = (text: string): string[] =>
  [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)]
    .map(([, link, attribute]) => link ?? attribute ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));

/** The code of a document: its blocks, and what stands between backquotes. */
const codeIn = (text: string): string[] => [
  ...fencesIn(text).flatMap(({ code }) => code.split('\n')),
  ...[...withoutFences(text).matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll('\n', ' ')),
];

test('every link and picture of the documents leads to a file that there is, and to a heading of it', () => {
  const broken = DOCUMENTS.flatMap((document) =>
    targetsIn(textOf(document))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? document : normalize(join(dirname(document), path));
        if (!existsSync(join(ROOT, file))) return true;
        return anchor !== undefined && !anchorsIn(textOf(file)).includes(anchor);
      })
      .map((target) => `${document}: ${target}`),
  );
  assert.deepEqual(broken, []);
  assert.ok(targetsIn(textOf('README.md')).length > 20);
});

test('README has at most 120 lines, its two lines of commands, four pictures in light and dark, and leads to every page', () => {
  const text = textOf('README.md');
  assert.ok(text.trimEnd().split('\n').length <= 120);
  assert.ok(text.includes('\n```\nnpm ci && npm start\nnpm ci && npm test\n```\n'));
  const pictures = targetsIn(text).filter((target) => target.endsWith('.png'));
  assert.equal(pictures.length, 8);
  assert.equal(new Set(pictures).size, 8);
  for (const page of PAGES) assert.ok(text.includes(`](docs/${page}.md`), page);
});

test('documents: npm runs in the folder of the project, and the text says before how to get it', () => {
  for (const document of ['README.md', 'docs/start.md']) {
    const [clone, install] = ['`git clone`', 'npm ci'].map((text) => textOf(document).indexOf(text));
    assert.ok(clone !== undefined && install !== undefined && clone >= 0 && clone < install, document);
  }
  const client = textOf('client/README.md');
  assert.ok(client.includes('\n```\nnpm ci && npm run build:client\n```\n'));
  assert.ok(client.includes('\n```\nnpm install ../daybook/client\n```\n'));
});

test('documents: the comparison counts no more filters than there are', () => {
  const [, count = ''] = /\| filters on visits \| more than (\d+) properties/.exec(textOf('docs/compare.md')) ?? [];
  assert.ok(count !== '' && FILTERS.length > Number(count), `${FILTERS.length} filters`);
});

test('every command in the documents is one of daybook, and every script one of npm', () => {
  const names = commands.map(({ name }) => name);
  const scripts = Object.keys(JSON.parse(textOf('package.json')).scripts);
  const unknown = DOCUMENTS.flatMap((document) =>
    codeIn(textOf(document)).flatMap((code) => {
      const called = [...code.matchAll(/(?:^|[|;(] ?|npx )daybook ([a-z][a-z-]*)(?: ([a-z]+))?/g)]
        .filter(([, first = '', second = '']) => !names.includes(first) && !names.includes(`${first} ${second}`))
        .map(([call]) => call);
      const run = [...code.matchAll(/npm run (?:--silent )?([a-z:-]+)/g)]
        .filter(([, script = '']) => !scripts.includes(script))
        .map(([call]) => call);
      return [...called, ...run].map((call) => `${document}: ${call}`);
    }),
  );
  assert.deepEqual(unknown, []);
});

test('the pages name every setting, command, format, mail and dimension that there is', () => {
  const settings = textOf('docs/configure.md');
  for (const name of OPTION_NAMES) assert.ok(settings.includes(`| \`--${name}\` | \`${nameVariable(name)}\` |`), name);
  const terminal = textOf('docs/operate.md');
  for (const { name } of commands) assert.match(terminal, new RegExp(`(?:daybook|·) ${name}\\b`), name);
  const exchange = textOf('docs/import-and-export.md');
  for (const name of Object.keys(FILE_FORMATS)) assert.ok(exchange.includes(`\`${name}\``), name);
  const formatsOf = (command: string) =>
    new RegExp(`^daybook ${command} .*--format ([a-z0-9|-]+)`, 'm')
      .exec(sectionOf('docs/import-and-export.md', 'The commands'))?.[1]
      ?.split('|');
  assert.deepEqual(formatsOf('import')?.toSorted(), Object.keys(FILE_FORMATS).toSorted());
  for (const name of Object.keys(EXPORT_FORMATS)) assert.ok(formatsOf('export')?.includes(name), name);
  for (const { name } of MAILED) assert.ok(settings.includes(`\`${name}\``), name);
  for (const kind of MESSAGE_KINDS) assert.ok(textOf('docs/notifications.md').includes(`\`${kind}\``), kind);
  const reports = textOf('docs/read-the-statistics.md');
  for (const { breakdown } of Object.values(DIMENSIONS)) assert.ok(reports.includes(`\`${breakdown}\``), breakdown);
});

test('documents: a page with commands says before them how to run daybook', () => {
  const runs = (text: string) => fencesIn(text).some(({ code }) => /^(?:\S+=\$\()?daybook /m.test(code));
  const pages = DOCUMENTS.filter((document) => runs(textOf(document)));
  assert.ok(pages.length >= PAGES.length, `${pages}`);
  for (const page of pages) {
    const [top = ''] = textOf(page).split('\n## ');
    const toExecutable =
      page === 'docs/operate.md' ? '' : page.startsWith('docs/') ? 'operate.md' : '../docs/operate.md';
    const line = `In the examples, \`daybook\` means \`npx daybook\` in the project's folder, or [the executable](${toExecutable}#one-executable). To create the example site, run \`daybook demo --docs\`.\n`;
    assert.ok(top.includes(line), page);
  }
});

test('every page of docs has an example, which examples.program.test.ts runs', () => {
  assert.deepEqual(
    PAGES.filter((page) => examplesIn(textOf(`docs/${page}.md`)).length === 0),
    [],
  );
});

test('no document has a mail address but one of an example', () => {
  const addresses = DOCUMENTS.flatMap(
    (document) => textOf(document).match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/g) ?? [],
  );
  assert.deepEqual(
    addresses.filter((address) => !/@(?:[\w-]+\.)*example(?:\.com|\.org)?$/.test(address) && !address.endsWith('.tgz')),
    [],
  );
});
