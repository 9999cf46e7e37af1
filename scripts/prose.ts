// Measures how easy the documents and the texts of the program are to read: the words of each sentence and paragraph.
//
// Invariant: code blocks, headings, pictures and HTML count nothing. `code` between backquotes counts as one word, and
// a link as the words that a reader sees. Each item of a list and each cell of a table is a paragraph of its own. The
// median leaves out cells, because most are no sentences.
//
// Example: `node scripts/prose.ts docs/start.md` prints the counts of a page and the sentences that are too long. With
// no name it measures every document. test/documents/prose.test.ts and test/lang/prose.test.ts hold the limits.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The most words of a median sentence, of any sentence, and of any paragraph. */
export const LIMITS = { median: 16, sentence: 30, paragraph: 80 };

export type Prose = { sentences: number; median: number; longSentences: string[]; longParagraphs: string[] };

/** Measures a text in Markdown. */
export const measureProse = (markdown: string, limits = LIMITS): Prose =>
  measureParagraphs(listParagraphs(markdown), limits);

/**
 * Measures texts of the program, such as messages and helps. A text may have several paragraphs. A placeholder such as
 * `{count}` counts as one word. The median leaves out labels, which do not end in a full stop.
 */
export function measureTexts(texts: readonly string[]): Prose {
  const paragraphs = texts
    .flatMap((text) => text.replaceAll(/\{[^{}]*\}|`[^`]+`/g, 'code').split(/\n\s*\n/))
    .map((text) => ({ text: text.replaceAll('\n', ' ').trim(), isCell: !/[.!?]["”)]?$/.test(text.trim()) }));
  return measureParagraphs(paragraphs, LIMITS);
}

function measureParagraphs(paragraphs: readonly Paragraph[], limits: typeof LIMITS): Prose {
  const sentences = paragraphs.flatMap(({ text }) => splitSentences(text));
  const running = paragraphs.filter(({ isCell }) => !isCell).flatMap(({ text }) => splitSentences(text));
  const counts = running.map(countWords).sort((one, other) => one - other);
  return {
    sentences: sentences.length,
    median: counts[Math.floor(counts.length / 2)] ?? 0,
    longSentences: sentences.filter((text) => countWords(text) > limits.sentence),
    longParagraphs: paragraphs.map(({ text }) => text).filter((text) => countWords(text) > limits.paragraph),
  };
}

/** Matches the start of a list item, a quotation or a row of a table. */
const NEW_PARAGRAPH = /^\s*(?:[*+-]|\d+[.)]|>|\|)\s/;

type Paragraph = { text: string; isCell: boolean };

export function listParagraphs(markdown: string): Paragraph[] {
  const text = markdown
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/<picture>[\s\S]*?<\/picture>/g, '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/`[^`]+`/g, 'code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
  const found: Paragraph[] = [];
  let last: Paragraph | undefined;
  let isQuoted = false;
  for (const line of text.split('\n')) {
    if (/^>?\s*$/.test(line) || /^#+ /.test(line) || /^[\s|:-]+$/.test(line)) {
      last = undefined;
    } else if (/^\s*\|/.test(line)) {
      const cells = line.split('|').filter((cell) => cell.trim() !== '');
      found.push(...cells.map((text) => ({ text, isCell: true })));
      last = undefined;
    } else if (last && (!NEW_PARAGRAPH.test(line) || (isQuoted && /^>/.test(line)))) {
      last.text += ` ${line.replace(/^>/, '').trim()}`;
    } else {
      last = { text: line.replace(NEW_PARAGRAPH, ''), isCell: false };
      isQuoted = /^>/.test(line);
      found.push(last);
    }
  }
  return found;
}

/**
 * Splits a paragraph into sentences. A sentence ends in `.`, `!`, `?` or `:`. The next one begins with a capital, a
 * number, a quotation mark, code, or the name of a file or of the program.
 */
export const splitSentences = (paragraph: string): string[] =>
  paragraph
    .replaceAll(/\*\*|\b(?:e\.g|i\.e|vs)\./g, '')
    .split(/(?<=[.!?]["”)]?)\s+(?=["“(]?(?:[\p{Lu}\d]|code\b|daybook\b|[a-z-]+\.ts\b))/u)
    .map((text) => text.trim())
    .filter((text) => countWords(text) > 0);

const countWords = (text: string): number => text.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0;

const ROOT = join(import.meta.dirname, '..');

/** Lists every document, by its path from the root of the project. */
export const listDocuments = (): string[] => [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'client/README.md', 'integrations/README.md'],
  ...['release/README.md', 'release/UNTRIED.md', 'deploy/catalogues/README.md'],
  ...['docs', 'docs/how'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

/** Says whether a document keeps the limits, and prints what does not. */
function print(path: string): void {
  const { sentences, median, longSentences, longParagraphs } = measureProse(readFileSync(join(ROOT, path), 'utf8'));
  console.log(
    `${path}: ${sentences} sentences, median ${median}; too long: ${longSentences.length} sentences, ${longParagraphs.length} paragraphs`,
  );
  const named = process.argv.length > 2;
  if (named) for (const text of [...longSentences, ...longParagraphs]) console.log(`  ${countWords(text)}: ${text}`);
}

if (import.meta.main) for (const path of process.argv.length > 2 ? process.argv.slice(2) : listDocuments()) print(path);
