// Makes a page of the website: its head, the bar at the top, the navigation, the text, and the list of its parts. It
// works without its script, which only adds the search.
import { dirname, relative } from 'node:path/posix';
import { PRODUCT } from '../scripts/release/product.mjs';
import type { Document, Group } from './documents.ts';
import { escapeHtml, type Heading } from './markdown.ts';

export type Shown = {
  page: string;
  /** Empty for the home page. */
  title: string;
  groups: readonly Group[];
  html: string;
  headings: readonly Heading[];
  before?: Document | undefined;
  after?: Document | undefined;
};

const { stats } = PRODUCT.site;
const counterOrigin = stats.server && ` ${new URL(stats.server).origin}`;

/** Pages load only their own files, and the counter where release/product.json names one. */
const POLICY = [
  "default-src 'none'; img-src 'self' data:; style-src 'self'",
  `script-src 'self'${counterOrigin}; connect-src 'self'${counterOrigin}`,
  "base-uri 'none'; form-action 'none'",
].join('; ');

const counter = stats.server
  ? `<script defer src="${escapeHtml(stats.server)}/day.js" data-site="${escapeHtml(stats.domain)}"></script>`
  : '';

const ARROW =
  '<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M11.5 11.5 14 14M7 12.5a5.5 5.5 0 1 1 0-11 5.5 5.5 0 0 1 0 11Z" fill="none" stroke="currentColor" stroke-width="1.5"/></svg>';

function showNavigation({ page, groups }: Shown, to: (target: string) => string): string {
  const item = (document: Document): string =>
    `<li><a href="${to(document.page)}"${document.page === page ? ' aria-current="page"' : ''}>${escapeHtml(document.title)}</a></li>`;
  return groups
    .map(({ name, documents }) => `<h2>${escapeHtml(name)}</h2><ul>${documents.map(item).join('')}</ul>`)
    .join('');
}

/** The headings of a page, from two of them on. */
function showContents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2);
  if (shown.length < 2) return '';
  const items = shown.map(({ id, title }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(title)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

function showNear({ before, after }: Shown, to: (target: string) => string): string {
  const link = (document: Document | undefined, word: string): string =>
    document
      ? `<a class="${word}" href="${to(document.page)}"><span>${word}</span> ${escapeHtml(document.title)}</a>`
      : '';
  return before || after
    ? `<nav class="near" aria-label="Pages before and after">${link(before, 'Previous')}${link(after, 'Next')}</nav>`
    : '';
}

const showDocument = (shown: Shown, to: (target: string) => string): string => `<div class="document">
<nav class="side" aria-label="Documentation"><details><summary>All pages</summary>${showNavigation(shown, to)}</details><div class="list">${showNavigation(shown, to)}</div></nav>
<main id="main"><article>${shown.html}</article>${showNear(shown, to)}</main>
${showContents(shown.headings)}
</div>`;

export function showPage(shown: Shown): string {
  const root = relative(dirname(shown.page), '.') || '.';
  const to = (target: string): string => escapeHtml(`${root}/${target}`.replace(/^\.\//, ''));
  const isHome = shown.title === '';
  const title = isHome ? `${PRODUCT.title}: ${PRODUCT.summary.toLowerCase()}` : `${shown.title} · ${PRODUCT.title}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(POLICY)}">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${escapeHtml(PRODUCT.description)}">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${to('icon.svg')}">
<link rel="stylesheet" href="${to('style.css')}">
<script defer src="${to('search.js')}" data-root="${escapeHtml(root)}"></script>${counter}
</head>
<body${isHome ? ' class="home"' : ''}>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="brand" href="${to('index.html')}"><img src="${to('icon.svg')}" alt="" width="24" height="24">${escapeHtml(PRODUCT.title)}</a>
<search hidden><label>${ARROW}<span class="unseen">Search the documentation</span><input type="search" placeholder="Search" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"><kbd>/</kbd></label><div id="found" class="found" role="listbox" aria-label="Pages found" hidden></div><p class="unseen" role="status"></p></search>
<nav aria-label="Website"><a href="${to('docs/start.html')}">Documentation</a><a href="${to('docs/compare.html')}">Compare</a><a href="${escapeHtml(PRODUCT.repository)}">Source</a></nav>
</header>
${isHome ? `<main id="main">${shown.html}</main>` : showDocument(shown, to)}
<footer><p>${escapeHtml(PRODUCT.title)} ${escapeHtml(PRODUCT.version)} · <a href="${escapeHtml(PRODUCT.repository)}/blob/main/LICENSE">MIT licence</a> · <a href="${to('changelog.html')}">Changelog</a> · <a href="${to('security.html')}">Security</a></p><p>This website sets no cookies${stats.server ? '' : ' and loads nothing from elsewhere'}.</p></footer>
</body>
</html>
`;
}
