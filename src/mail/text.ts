import type { Block, Cell, Footer, Letter } from './letter.ts';
import { number } from './words.ts';

const WIDEST_BAR = 30;
/** A first column that is wider pushes the others out of sight on a telephone. */
const WIDEST = 44;

function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  const first = Math.min(widths[0] ?? 0, WIDEST);
  return rows
    .map(([name = '', ...values]) =>
      [`  ${name.padEnd(first)}`, ...values.map((value, i) => value.padStart(widths[i + 1] ?? 0))].join('  ').trimEnd(),
    )
    .join('\n');
}

const BLOCKS: { [Kind in Block['kind']]: (block: Extract<Block, { kind: Kind }>) => string } = {
  words: ({ words }) => words,
  table: ({ heading, columns: names, rows }) =>
    columns([[heading, ...names], ...rows.map((row) => row.map(({ words }: Cell) => words))]).slice(2),
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

export const textOf = ({ title, blocks, link }: Letter, { because, unsubscribe }: Footer): string =>
  `${[title, ...blocks.map(blockText), `${link.words}:\n${link.url}`].join('\n\n')}

--${' '}
${because}
No more of these mails: ${unsubscribe}
`;
