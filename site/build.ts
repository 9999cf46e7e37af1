// Writes the website into dist/site: a home page, all documents with their navigation, and an index for the search. All
// links are relative, so the folder works below any URL. The pages load nothing from elsewhere but the counter that
// release/product.json may name. Run it with `npm run site`. Each build has the same bytes. Held by test/site.test.ts
// and test/browser/site.test.ts.
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { listGroups, ROOT, textOf } from './documents.ts';
import { makeHome } from './home.ts';
import { type Pages, renderMarkdown } from './markdown.ts';
import { type Shown, showPage } from './page.ts';

/** A part of a page in the index: the page, its title, the heading, the heading's name, and the text. */
export type Entry = [page: string, title: string, heading: string, id: string, text: string];

const TO = join(ROOT, 'dist/site');
const CHROME = ['chrome123', 'firefox120', 'safari17.5'];

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(TO, path)), { recursive: true });
  writeFileSync(join(TO, path), content);
}

/** The style sheet and the script, each as one small file. */
async function bundleAssets(): Promise<void> {
  await build({
    entryPoints: { style: join(ROOT, 'site/style.css'), search: join(ROOT, 'site/browser/search.ts') },
    outdir: TO,
    bundle: true,
    minify: true,
    target: CHROME,
    logLevel: 'warning',
  });
}

function copyPictures(): void {
  for (const file of globSync('{docs,docs/how,site}/*.{png,svg,webp}', { cwd: ROOT }).sort())
    cpSync(join(ROOT, file), join(TO, 'pictures', basename(file)));
  cpSync(join(ROOT, 'deploy/icon.svg'), join(TO, 'icon.svg'));
}

/** Writes the pages of all documents. Returns the index of the search. */
function writeDocuments(): Entry[] {
  const groups = listGroups();
  const documents = groups.flatMap((group) => group.documents);
  const pages: Pages = new Map([
    ['README.md', 'index.html'],
    ...documents.map(({ file, page }) => [file, page] as const),
  ]);
  write('index.html', showPage({ page: 'index.html', title: '', groups, ...makeHome(pages) }));
  return documents.flatMap(({ file, page, title }, at) => {
    const { html, headings, parts } = renderMarkdown(textOf(file), file, pages);
    const near: Partial<Shown> = { before: documents[at - 1], after: documents[at + 1] };
    write(page, showPage({ page, title, groups, html, headings, ...near }));
    return parts.map(({ heading, text }): Entry => [page, title, heading.title, heading.id, text.trim()]);
  });
}

export async function buildSite(): Promise<void> {
  rmSync(TO, { recursive: true, force: true });
  mkdirSync(TO, { recursive: true });
  await bundleAssets();
  copyPictures();
  write('search.json', JSON.stringify(writeDocuments()));
}

if (import.meta.main) await buildSite();
