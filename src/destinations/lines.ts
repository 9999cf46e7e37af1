import type { Block, Letter } from '../mail/letter.ts';
import type { Voice } from '../mail/voice.ts';

/**
 * A line of a message. With `isHeading`, `name` is a heading. Without `values`, `name` is the whole line. Otherwise,
 * `name` says what `values` are about.
 */
export type Line = { name: string; values: string; isHeading?: true };

const BLOCKS: { [Kind in Block['kind']]: (block: Extract<Block, { kind: Kind }>, voice: Voice) => Line[] } = {
  words: ({ words, link }) => [{ name: link ? `${words} ${link.url}` : words, values: '' }],
  table: ({ heading, columns, rows }) => [
    { name: heading, values: columns.join(' · '), isHeading: true },
    ...rows.map(([name, ...cells]) => ({
      name: name?.words ?? '',
      values: cells.map(({ words }) => words).join(' · '),
    })),
  ],
  bars: ({ heading, rows }, { number }) => [
    { name: heading, values: '', isHeading: true },
    ...rows.map(({ name, value }) => ({ name, values: number(value) })),
  ],
};

/**
 * Writes the content of a message as lines, without columns. Programs such as ntfy show messages with characters that
 * are not equally wide, so columns would not align.
 */
export const listLines = ({ blocks }: Letter, voice: Voice): Line[] =>
  blocks.flatMap((block) => (BLOCKS[block.kind] as (block: Block, voice: Voice) => Line[])(block, voice));

/** Writes the lines of a message as one text. A blank line comes before each heading. */
export const writeLines = (letter: Letter, voice: Voice): string =>
  listLines(letter, voice)
    .map(({ name, values, isHeading }) => `${isHeading ? '\n' : ''}${values === '' ? name : `${name}: ${values}`}`)
    .join('\n');
