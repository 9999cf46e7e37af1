// Visits as columns of codes. The search for suggested exclusions counts in these columns.
//
// Invariant: the visits of all compared days are in one table, with one dictionary for each attribute. A code therefore
// means the same term in every week.
//
// Example: the attribute country has the dictionary [7, 9]. Then the codes [0, 1, 0] mean the terms 7, 9 and 7. Engines
// make the columns of each day, and suggest.ts joins them with `makeTable`.
import { type Compared, compared } from './unusual.ts';

export const TEXT_ATTRIBUTES = ['source', 'country', 'device', 'browser', 'os', 'entry'] as const;
/** The value of the attribute `pageviews` for visits with exactly one pageview. All other visits have the value 0. */
export const ONE_PAGE = 1;
export const ATTRIBUTES = [...TEXT_ATTRIBUTES, 'pageviews'] as const;
export type Attribute = (typeof ATTRIBUTES)[number];

/**
 * Each attribute, such as the country, has a dictionary of terms. Each visit has a code, which is an index into the
 * dictionary.
 */
export type Visits = Readonly<Record<Attribute, { terms: ArrayLike<number>; codes: ArrayLike<number> }>>;

export function makeTable(days: readonly DayVisits[], { times = 1, mayBe = () => true }: VisitTableOptions): Table {
  const parts = days.flat();
  const weeks = new Uint8Array(countVisits(parts));
  let row = 0;
  for (const [week, day] of days.entries()) {
    const end = row + countVisits(day);
    weeks.fill(week, row, end);
    row = end;
  }
  const joinColumns = (name: Attribute) => {
    const columns = parts.map((visits) => visits[name]);
    return joinDays(columns, weeks.length);
  };
  const columns = Object.fromEntries(ATTRIBUTES.map((name) => [name, joinColumns(name)])) as Table['columns'];
  return { columns, weeks, weekCount: days.length - 1, times, mayBe };
}

export const makeVisits = (joinColumns: (name: Attribute) => Visits[Attribute]): Visits =>
  Object.fromEntries(ATTRIBUTES.map((name) => [name, joinColumns(name)])) as unknown as Visits;

/** The visits of a day. The list has one entry, or for a large day one entry for each slice or shard. */
export type DayVisits = readonly Visits[];

export const countVisits = (day: DayVisits): number => day.reduce((sum, { entry }) => sum + entry.codes.length, 0);

export type VisitTableOptions = {
  /** The number of real visits that each visit of a sample represents. */
  times?: number;
  mayBe?(attribute: Attribute, term: number): boolean;
};

/** All compared visits: first the visits of the day, then the visits of the same weekday in the weeks before. */
export type Table = {
  columns: Record<Attribute, { codes: Uint32Array; terms: number[] }>;
  /**
   * For each visit, the index of its day in the list of compared days. Index 0 is the day itself, and all others are
   * the same weekday of earlier weeks.
   */
  weeks: Uint8Array;
  weekCount: number;
} & Required<VisitTableOptions>;

/** Joins one column of all days. The result has one dictionary, so a code stands for the same term in every week. */
function joinDays(columns: readonly Visits[Attribute][], rows: number): { codes: Uint32Array; terms: number[] } {
  const codeByTerm = new Map<number, number>();
  const codes = new Uint32Array(rows);
  let row = 0;
  for (const column of columns) {
    const own = Uint32Array.from(column.terms, (term) => {
      const code = codeByTerm.get(term) ?? codeByTerm.size;
      codeByTerm.set(term, code);
      return code;
    });
    for (let i = 0; i < column.codes.length; i++) codes[row++] = own[column.codes[i] as number] as number;
  }
  return { codes, terms: [...codeByTerm.keys()] };
}

/**
 * Counts visits by the value of an attribute: `now` on the day, and `usual` as the mean of the weeks before. Only the
 * visits in `rows` count.
 */
export function countCodes({ columns, weeks, weekCount, times }: Table, attribute: Attribute, rows: Uint32Array) {
  const { codes, terms } = columns[attribute];
  const now = new Float64Array(terms.length);
  const usual = new Float64Array(terms.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const code = codes[row] as number;
    if (weeks[row] === 0) now[code] = (now[code] as number) + times;
    else usual[code] = (usual[code] as number) + times / weekCount;
  }
  return { now, usual };
}

export function chooseRows(
  { columns }: Table,
  rows: Uint32Array,
  attribute: Attribute,
  some: readonly number[],
): Uint32Array {
  const { codes, terms } = columns[attribute];
  const isWanted = new Uint8Array(terms.length);
  for (const code of some) isWanted[code] = 1;
  const found = new Uint32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    found[count] = row;
    count += isWanted[codes[row] as number] as number;
  }
  return found.slice(0, count);
}

export function countByWeek({ weeks, weekCount, times }: Table, rows: Uint32Array): Compared {
  const counts = new Array<number>(weekCount + 1).fill(0);
  for (const row of rows) counts[weeks[row] as number] = (counts[weeks[row] as number] as number) + times;
  const [now = 0, ...before] = counts;
  return compared(now, before);
}
