// Reads the rows of one open day from the ClickHouse servers, to copy them. The first copy reads all rows. Later copies
// read only the rows that came since.
//
// Invariant: the rows of a visitor come in the order of their row numbers. A heartbeat belongs to the latest hit that
// was received before it, so the order matters.
//
// Example: a day has 1,500,000 rows on each of two shards. `readAll` reads portions of up to 5,000 rows of each shard.
// If the rows are long, a portion has fewer rows. A portion has all rows of its visitors, unless one visitor has more
// rows than a portion. `readSince` reads the 40 rows that came in the last second. copy-rows.ts calls these functions.
import { TEXT_FIELDS } from '../../stats/dimensions.ts';
import type { Nodes } from '../servers/nodes.ts';
import type { CopiedRow } from './bound-claims.ts';

/** The rows of a site and a day with numbers from `from` up to, but not including, `until`. */
export type RowSpan = { siteId: number; day: number; from: number; until: number };

/**
 * How many rows of each shard one statement reads. While the primary parses an answer, it accepts no hits, so a longer
 * answer would delay hits. Copying 3 million rows took 48 s. Portions of 20,000 rows would save 4 s, but take 165 MB
 * more memory.
 */
const ROWS_AT_ONCE = 5_000;
const FIRST_ROWS = 1_250;
/**
 * About how many characters of texts a portion may have. A hit has 300 characters, or 20,000 with long properties.
 * Portions of 5,000 such hits would take a gigabyte of memory.
 */
const CHARACTERS_AT_ONCE = 8_000_000;

/** Decides how many rows the next statement reads, from the length of the texts that were read before. */
function makePortions() {
  let most = FIRST_ROWS;
  return {
    size: (): number => most,
    note(rows: readonly CopiedRow[]): void {
      // Without rows, the length of the texts is unknown. So the next portion may have as many rows as this one.
      if (rows.length === 0) return;
      const characters = rows.reduce((sum, { texts }) => texts.reduce((all, { length }) => all + length, sum), 0);
      const fitting = Math.ceil((CHARACTERS_AT_ONCE * rows.length) / Math.max(characters, 1));
      most = Math.min(ROWS_AT_ONCE, 2 * most, Math.max(fitting, 1));
    },
  };
}

type Portions = ReturnType<typeof makePortions>;

/** The texts come as a list. Their names in each row would double the time for parsing an answer. */
const COLUMNS = `second, seq, visitor, engaged, scroll, vitals,
  [${TEXT_FIELDS.map((field) => `toString(${field})`).join(', ')}] AS texts`;

const matchDay = ({ siteId, day }: Pick<RowSpan, 'siteId' | 'day'>): string =>
  `site = ${siteId} AND day = ${day} AND import = 0`;
const matchSpan = (span: RowSpan): string => `${matchDay(span)} AND seq >= ${span.from} AND seq < ${span.until}`;

/**
 * How many rows a day has: `known` with numbers below `from`, `fresh` from `from` up to, but not including, `until`,
 * and `later` with higher numbers.
 */
export type Counts = { known: number; fresh: number; later: number };

export async function countRows(nodes: Nodes, span: RowSpan): Promise<Counts> {
  const { from, until } = span;
  const found = await nodes.ask<Counts>(
    `SELECT countIf(seq < ${from}) AS known, countIf(seq >= ${from} AND seq < ${until}) AS fresh,
       countIf(seq >= ${until}) AS later
     FROM activity WHERE ${matchDay(span)}`,
  );
  const sum = (name: keyof Counts): number => found.reduce((all, counts) => all + counts[name], 0);
  return { known: sum('known'), fresh: sum('fresh'), later: sum('later') };
}

/** Reads rows in the order of their numbers, in portions. */
export const readSince = (nodes: Nodes, span: RowSpan): AsyncGenerator<CopiedRow[]> =>
  readInOrder(nodes, span, makePortions());

/** Reads rows in the order of their numbers. With `visitor`, only rows of this visitor are read. */
async function* readInOrder(
  nodes: Nodes,
  span: RowSpan,
  portions: Portions,
  visitor?: number,
): AsyncGenerator<CopiedRow[]> {
  const ofVisitor = visitor === undefined ? '' : ` AND visitor = ${visitor}`;
  for (let from = span.from; from < span.until; ) {
    const own = { ...span, from };
    const most = portions.size();
    const shards = await nodes.askShards<CopiedRow>(
      `SELECT ${COLUMNS} FROM activity WHERE ${matchSpan(own)}${ofVisitor} ORDER BY seq LIMIT ${most}`,
    );
    const end = Math.min(span.until, ...findEnds(shards, most, ({ seq }) => seq + 1));
    const rows = shards.flat();
    portions.note(rows);
    yield rows.filter(({ seq }) => seq < end).sort((one, other) => one.seq - other.seq);
    from = end;
  }
}

/** Finds where the next portion of each shard begins. A shard that gave fewer than `most` rows has no next portion. */
const findEnds = (shards: readonly CopiedRow[][], most: number, end: (last: CopiedRow) => number): number[] =>
  shards.flatMap((rows) => (rows.length < most ? [] : [end(rows.at(-1) as CopiedRow)]));

/** A range of visitor codes. */
type Codes = { from: number; to: number };

/**
 * The visitor codes are divided into this number of ranges, and a portion of each range is read in turn. So the first
 * rows have visitors of all ranges. The local file of the primary makes its shards from the first rows. These shards
 * must divide the later visitors evenly.
 */
const RANGES = 16;
/** A visitor code has 53 bits (lib/secrets.ts). */
const ALL_CODES = 2 ** 53;

/**
 * Reads all rows of a `RowSpan`, in portions of whole visitors. If a visitor has more rows than a portion, these rows
 * come in several portions, in the order of their numbers.
 */
export async function* readAll(nodes: Nodes, span: RowSpan): AsyncGenerator<CopiedRow[]> {
  const portions = makePortions();
  const size = ALL_CODES / RANGES;
  let ranges: Codes[] = Array.from({ length: RANGES }, (_, i) => ({ from: i * size, to: (i + 1) * size }));
  while (ranges.length > 0) {
    const left: Codes[] = [];
    for (const codes of ranges) {
      const { rows, next } = await readVisitors(nodes, span, codes, portions);
      if (rows.length > 0) yield rows;
      if (next === codes.from) yield* readInOrder(nodes, span, portions, next);
      const from = Math.max(next, codes.from + 1);
      if (from < codes.to) left.push({ from, to: codes.to });
    }
    ranges = left;
  }
}

/**
 * Reads a portion of a range of visitor codes: the first visitors, each with all rows. `next` is the code from which
 * the next portion begins. If `next` equals `from`, the visitor with this code has too many rows for a portion.
 */
async function readVisitors(
  nodes: Nodes,
  span: RowSpan,
  { from, to }: Codes,
  portions: Portions,
): Promise<{ rows: CopiedRow[]; next: number }> {
  const most = portions.size();
  const shards = await nodes.askShards<CopiedRow>(
    `SELECT ${COLUMNS} FROM activity WHERE ${matchSpan(span)} AND visitor >= ${from} AND visitor < ${to}
     ORDER BY visitor LIMIT ${most}`,
  );
  portions.note(shards.flat());
  // The last visitor of a full portion may have more rows, so this visitor comes with the next portion.
  const next = Math.min(to, ...findEnds(shards, most, ({ visitor }) => visitor));
  const rows = shards
    .flat()
    .filter(({ visitor }) => visitor < next)
    .sort((one, other) => one.visitor - other.visitor || one.seq - other.seq);
  return { rows, next };
}
