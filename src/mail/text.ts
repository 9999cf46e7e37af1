import { number } from './figures.ts';
import type { Block, Cell, Footer, Letter } from './letter.ts';

const WIDEST_BAR = 30;
/** A wider first column would push the others off the screen of a telephone. */
const WIDEST = 52;

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

const BLOCKS: { [Kind in Block['kind']]: (block: Extract<Block, { kind: Kind }>) => string } = {
  words: ({ words }) => words,
  table: ({ heading, columns: names, rows }) =>
    columns(
      [heading, ...names],
      rows.map((row) => row.map(({ words }: Cell) => words)),
    ),
  bars({ heading, rows }) {
    const most = Math.max(1, ...rows.map(({ value }) => value));
    const bar = (value: number) => '#'.repeat(Math.round((value / most) * WIDEST_BAR));
    const width = Math.max(...rows.map(({ value }) => number(value).length));
    const lines = rows.map(({ name, value }) =>
      `  ${name.padEnd(10)}  ${number(value).padStart(width)}  ${bar(value)}`.trimEnd(),
    );
    return [heading, ...lines].join('\n');
  },
};

const blockText = <Kind extends Block['kind']>(block: Extract<Block, { kind: Kind }>): string =>
  (BLOCKS[block.kind] as (block: Block) => string)(block);

/** What a letter says between its title and its link. */
export const wordsOf = ({ blocks }: Letter): string => blocks.map(blockText).join('\n\n');

export const textOf = ({ title, blocks, link }: Letter, { because, unsubscribe }: Footer): string =>
  `${[title, ...blocks.map(blockText), `${link.words}:\n${link.url}`].join('\n\n')}

--${' '}
${because}
No more of these mails: ${unsubscribe}
`;
