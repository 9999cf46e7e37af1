// Writes a letter as plain text, for mail programs without HTML, for destinations and for `daybook mail preview`.
//
// Spaces align the columns of a table, and a bar is a row of #. A paragraph is one line, which the mail program wraps.
// html.ts writes a letter as HTML.

import type { Block, Footer, Letter, LetterCell } from './letter.ts';
import type { Voice } from './voice.ts';

const WIDEST_BAR = 30;
/** The least width of the names before bars, in characters. Most days in English fit, such as "Mon 15 Jan". */
const LEAST_NAME = 10;
/**
 * The first column of a table is filled with spaces up to this width, in characters. A wider column would push the
 * other columns off the screen of a phone.
 */
const WIDEST = 52;

export const writeBlocks = ({ blocks }: Letter, voice: Voice): string =>
  blocks.map((block) => blockText(block, voice)).join('\n\n');

export function writeText(letter: Letter, { because, unsubscribe }: Footer, voice: Voice): string {
  const { title, link } = letter;
  const { t } = voice;
  return `${title}

${writeBlocks(letter, voice)}

${t('{link}:', { link: link.words })}
${link.url}

--${' '}
${because}
${t('Unsubscribe from these e-mails: {url}', { url: unsubscribe })}
`;
}

function columns(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heading, ...rows.map(([name = '', ...values]) => [`  ${name}`, ...values])];
  const widths = heading.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
  return all
    .map(([name = '', ...values]) =>
      [
        name.padEnd(Math.min(widths[0] ?? 0, WIDEST)),
        ...values.map((value, i) => value.padStart(widths[i + 1] ?? 0)),
      ].join('  '),
    )
    .map((line) => line.trimEnd())
    .join('\n');
}

const BLOCKS: { [Kind in Block['kind']]: (block: Extract<Block, { kind: Kind }>, voice: Voice) => string } = {
  words: ({ words, link }) => (link ? `${words}\n${link.url}` : words),
  table: ({ heading, columns: names, rows }) =>
    columns(
      [heading, ...names],
      rows.map((row) => row.map(({ words }: LetterCell) => words)),
    ),
  bars({ heading, rows }, { number }) {
    const most = Math.max(1, ...rows.map(({ value }) => value));
    const bar = (value: number) => '#'.repeat(Math.round((value / most) * WIDEST_BAR));
    const width = Math.max(...rows.map(({ value }) => number(value).length));
    const widest = Math.max(LEAST_NAME, ...rows.map(({ name }) => name.length));
    const lines = rows.map(({ name, value }) =>
      `  ${name.padEnd(widest)}  ${number(value).padStart(width)}  ${bar(value)}`.trimEnd(),
    );
    return [heading, ...lines].join('\n');
  },
};

const blockText = (block: Block, voice: Voice): string =>
  (BLOCKS[block.kind] as (block: Block, voice: Voice) => string)(block, voice);
