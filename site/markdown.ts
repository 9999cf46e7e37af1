// Makes HTML of the documents' Markdown. Links to other documents lead to their pages, links to other files to the
// repository, and pictures to the folder of pictures. Example: in docs/start.md, `operate.md#one-executable` becomes
// `operate.html#one-executable`.
import { dirname, join, relative } from 'node:path/posix';
import { Marked, type Tokens } from 'marked';
import { PRODUCT } from '../scripts/release/product.mjs';

export type Heading = { id: string; title: string; depth: number };
/** A part of a page, as the search finds it. */
type Part = { heading: Heading; text: string };
export type Rendered = { html: string; headings: Heading[]; parts: Part[] };

/** Which page shows a document. */
export type Pages = ReadonlyMap<string, string>;

const PICTURE = /\.(?:png|svg|webp)$/;

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Names a heading as GitHub does, because the documents link to these names. */
const nameHeading = (heading: string): string =>
  heading
    .replaceAll(/[`*]|\]\([^)]*\)|\[/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const plain = (text: string): string => text.replaceAll(/\]\([^)]*\)|[`*[\]]|<[^>]+>/g, '').trim();

/** From a page to a file of the website. */
const between = (page: string, to: string): string => relative(dirname(page), to) || '.';

/** Where a link of a document leads on the website. */
function resolveLink(link: string, file: string, pages: Pages): string {
  if (/^[a-z]+:/.test(link) || link.startsWith('#')) return link;
  const [path = '', anchor] = link.split('#');
  const target = join(dirname(file), path);
  const page = pages.get(target);
  const from = pages.get(file) ?? 'index.html';
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (page) return between(from, page) + hash;
  if (PICTURE.test(target)) return between(from, `pictures/${target.split('/').at(-1)}`);
  const kind = /\.\w+$/.test(target) ? 'blob' : 'tree';
  return `${PRODUCT.repository}/${kind}/main/${target}${hash}`;
}

/** Renders a document, or a part of one. */
export function renderMarkdown(markdown: string, file: string, pages: Pages): Rendered {
  const headings: Heading[] = [];
  const parts: Part[] = [];
  const link = (target: string): string => escapeHtml(resolveLink(target, file, pages));
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const name = nameHeading(text);
        const times = headings.filter(({ id }) => id === name || id.startsWith(`${name}-`)).length;
        const id = headings.some((one) => one.id === name) ? `${name}-${times}` : name;
        headings.push({ id, title: plain(text), depth });
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${link(href)}">${this.parser.parseInline(tokens)}</a>`;
      },
      code({ text, lang }: Tokens.Code) {
        return `<pre tabindex="0"><code${lang ? ` class="${escapeHtml(lang)}"` : ''}>${escapeHtml(text)}</code></pre>\n`;
      },
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], isHead = false) =>
          row
            .map(({ text, tokens }) => [isHead && text ? 'th' : 'td', this.parser.parseInline(tokens)])
            .map(([tag, html]) => `<${tag}>${html}</${tag}>`)
            .join('');
        const head = token.header.some(({ text }) => text)
          ? `<thead><tr>${cells(token.header, true)}</tr></thead>`
          : '';
        const body = token.rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n');
        return `<div class="table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        return text
          .replaceAll(/(src|srcset|href)="([^"]+)"/g, (_, name, target) => `${name}="${link(target)}"`)
          .replaceAll('<img ', '<img loading="lazy" ');
      },
    },
  });
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading') {
      parts.push({ heading: { id: '', title: plain(token.text), depth: token.depth }, text: '' });
    } else {
      const last = parts.at(-1);
      if (last && token.type !== 'html') last.text += ` ${plain(token.raw).replaceAll(/[|\s]+|-{3,}/g, ' ')}`;
    }
  }
  const html = marked.parse(markdown, { async: false });
  parts.forEach((part, at) => {
    part.heading = headings[at] ?? part.heading;
  });
  return { html, headings, parts };
}
