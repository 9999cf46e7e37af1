import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { listDocuments } from '../scripts/prose.ts';
import { PRODUCT } from '../scripts/release/product.mjs';
import { buildSite } from '../site/build.ts';
import { listGroups } from '../site/documents.ts';
import { once } from '../src/lib/once.ts';

const FOLDER = fileURLToPath(new URL('../dist/site', import.meta.url));
const read = (path: string): string => readFileSync(join(FOLDER, path), 'utf8');
const sumFiles = (): Record<string, string> =>
  Object.fromEntries(
    globSync('**/*.*', { cwd: FOLDER })
      .sort()
      .map((path) => [
        path,
        createHash('sha256')
          .update(readFileSync(join(FOLDER, path)))
          .digest('hex'),
      ]),
  );

/** Builds the website when the first test asks. Then a failure is one of these tests. */
const built = once(async () => {
  await buildSite();
  const files = sumFiles();
  return { files, pages: Object.keys(files).filter((path) => path.endsWith('.html')) };
});

/** Where a page leads: links, pictures, the style sheet and the script. */
const targetsIn = (page: string): string[] =>
  [...read(page).matchAll(/ (?:href|src|srcset)="([^"]+)"/g)].map(([, target = '']) => target.replaceAll('&amp;', '&'));

test('website: every document is a page, and is in the navigation of each page', async () => {
  const { pages } = await built();
  const documents = listGroups().flatMap((group) => group.documents);
  assert.deepEqual(
    documents.map(({ file }) => file).sort(),
    listDocuments()
      .filter((file) => file !== 'README.md')
      .sort(),
  );
  assert.equal(pages.length, documents.length + 1);
  for (const page of pages.filter((one) => one !== 'index.html'))
    for (const document of documents)
      assert.ok(
        targetsIn(page).some((target) => normalize(join(dirname(page), target)) === document.page),
        page,
      );
});

test('website: every link within it leads to a file, and to a heading of it', async () => {
  const { files, pages } = await built();
  const broken = pages.flatMap((page) =>
    targetsIn(page)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [path = '', id] = target.split('#');
        const file = path === '' ? page : normalize(join(dirname(page), path));
        return !files[file] || (id !== undefined && !read(file).includes(` id="${id}"`));
      })
      .map((target) => `${page}: ${target}`),
  );
  assert.deepEqual(broken, []);
});

test('website: a page loads nothing from elsewhere but the counter that the release names, and says so', async () => {
  const { server } = PRODUCT.site.stats;
  const { pages } = await built();
  for (const page of pages) {
    const loaded = [...read(page).matchAll(/<(?:script|link|img|iframe|source)[^>]+?(?:src|href|srcset)="([^"]+)"/g)];
    assert.ok(loaded.length > 2, page);
    const elsewhere = loaded.map(([, target = '']) => target).filter((target) => /^(?:[a-z]+:|\/\/)/.test(target));
    assert.deepEqual(elsewhere, server ? [`${server}/day.js`] : [], page);
    assert.equal(read(page).includes('loads nothing from elsewhere.</p></footer>'), !server, page);
  }
});

test('website: each heading has a name of its own', async () => {
  const { pages } = await built();
  for (const page of pages) {
    const ids = [...read(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(
      ids.filter((id, at) => ids.indexOf(id) !== at),
      [],
      page,
    );
  }
});

test('website: built twice, it has the same bytes', async () => {
  const { files } = await built();
  await buildSite();
  assert.deepEqual(sumFiles(), files);
});
