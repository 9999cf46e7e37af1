// Makes the text of the home page. The sections come from README.md, so that both say the same. Its commands, the
// picture and the place of the live demo are made here.
import { PRODUCT } from '../scripts/release/product.mjs';
import { textOf } from './documents.ts';
import { escapeHtml, type Heading, type Pages, renderMarkdown } from './markdown.ts';

/** The sections of README.md that the home page shows, each with its class. */
const SECTIONS: Record<string, string> = {
  'What it does': 'features',
  'Compared with others': 'compared',
  'Four facts, and how to reproduce them': 'facts',
  'Requirements and status': 'status',
  Documentation: 'pages',
};

/** Three ways to run daybook. */
const WAYS: { name: string; text: string; command: string; page: string }[] = [
  { name: 'With npm', text: 'You need Node 22 or newer.', command: 'npm ci && npm start', page: 'docs/start.html' },
  {
    name: 'As one executable',
    text: 'No Node, no packages: one file.',
    command: './daybook-linux-x64 serve',
    page: 'docs/operate.html#one-executable',
  },
  {
    name: 'With Docker',
    text: 'A read-only container, not root.',
    command: 'docker compose -f deploy/compose.yaml up',
    page: 'docs/operate.html#run-it-with-docker',
  },
];

const picture = (name: string, alt: string, size: string, own = 'loading="lazy"'): string =>
  `<picture><source media="(prefers-color-scheme: dark)" srcset="pictures/${name}-dark.webp"><img src="pictures/${name}-light.webp" alt="${escapeHtml(alt)}" ${size} ${own}></picture>`;

/** A link to the live demo where release/product.json names one. Otherwise the button leads to the first steps. */
const { demo } = PRODUCT.site;
const showDemo = demo
  ? `<a class="button" href="${escapeHtml(demo)}">Open the live demo</a>`
  : '<a class="button" href="docs/start.html">Get started</a>';

const hero = `<section class="hero">
<h1>Know your visitors.<br>Keep their privacy.</h1>
<p class="lead">${escapeHtml(PRODUCT.title)} is a privacy-friendly alternative to Google Analytics that you run yourself: one program, one SQLite file, no cookies, no stored IP addresses.</p>
<p class="actions">${showDemo}<a class="button quiet" href="${escapeHtml(PRODUCT.repository)}">Source</a></p>
<div class="demo">${picture('hero', 'A dashboard: figures and how they changed, visitors by day, pages and sources', 'width="1280" height="800"', 'fetchpriority="high"')}</div>
<p class="try">To try it with sample data, run <code>npm ci &amp;&amp; npm run demo</code>.</p>
</section>`;

const ways = `<section class="ways"><h2 id="run-it">Run it in three ways</h2><ul>${WAYS.map(
  ({ name, text, command, page }) =>
    `<li><h3><a href="${page}">${escapeHtml(name)}</a></h3><p>${escapeHtml(text)}</p><pre tabindex="0"><code>${escapeHtml(command)}</code></pre></li>`,
).join('')}</ul></section>`;

/** Finds a section of README.md without its pictures, which would be too large for a first page. */
function readSection(name: string): string {
  const [, ...sections] = textOf('README.md').split(/^(?=## )/m);
  const own = sections.find((section) => section.startsWith(`## ${name}\n`));
  if (!own) throw new Error(`README.md has no section "${name}"`);
  return own
    .replaceAll(/<(?:picture|table)[\s\S]*?<\/(?:picture|table)>(?:<\/td>.*)?/g, '')
    .replaceAll(/^<\/?t.*$/gm, '');
}

export function makeHome(pages: Pages): { html: string; headings: Heading[] } {
  const rendered = Object.entries(SECTIONS).map(([name, kind]) => {
    const { html, headings } = renderMarkdown(readSection(name), 'README.md', pages);
    return { html: `<section class="${kind}">${html}</section>`, headings };
  });
  return {
    html: [hero, ways, ...rendered.map(({ html }) => html)].join('\n'),
    headings: rendered.flatMap(({ headings }) => headings),
  };
}
