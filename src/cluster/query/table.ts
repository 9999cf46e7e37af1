// Counts the rows of a table: by up to three dimensions, properties or times.
//
// Invariant: the rows equal the rows of the engine on SQLite (test/stats/table.long.test.ts, which runs on both). While
// a long table is made, the primary still accepts hits (test/cluster/query/table.test.ts).
//
// Example: by country and week, each shard groups its visits by `country` and by the Monday of `day`. The sums of the
// shards are added up, and then sorted here. measure.ts calls `countTable`.
import { takeInTurns } from '../../lib/turns.ts';
import { DIMENSIONS, type HitDimension } from '../../stats/dimensions.ts';
import { findFigureOf, type SumName } from '../../stats/metrics.ts';
import { findTableCut, type Of } from '../../stats/query.ts';
import {
  MOST_TABLE_CELLS,
  MOST_TABLE_ROWS,
  pickTableRows,
  type TableAggregates,
  type TableRow,
} from '../../stats/table.ts';
import {
  chooseTableCounts,
  type DayKey,
  isDayKey,
  isDimensionKey,
  isHitKey,
  isPropertyKey,
  readPropertyName,
  type TableKey,
} from '../../stats/table-keys.ts';
import { sumManyRows } from '../servers/nodes.ts';
import { ROWS_A_TURN } from '../servers/send.ts';
import { type CountVisits, type HitField, type Scope, selectHits, VISITOR, type VisitSelection } from './aggregate.ts';
import { type Bind, HIT_VALUES, overHits, writeProperty, writeValue } from './filters.ts';
import { addInstant, writeHour } from './hours.ts';
import { amountOfHit } from './revenue.ts';
import { SUMS_OF_HITS, sumVisits } from './rows.ts';

type CountedTable = Record<string, string | number>;

export async function countTable(
  count: CountVisits,
  { where, counted, bind }: VisitSelection,
  query: Of<'table'>,
  scope: Pick<Scope, 'ranges'>,
): Promise<TableAggregates> {
  const { by, metrics, currency } = query;
  const counts = chooseTableCounts(query);
  const all: Partial<Record<SumName, string>> =
    counts === 'visits'
      ? sumVisits(query, counted, bind)
      : { ...SUMS_OF_HITS, pageviews: "countIf(e = '')", revenue: `sum(${amountOfHit(currency, bind)})` };
  const needed = new Set(metrics.flatMap((metric) => findFigureOf(counts, metric)?.needs ?? []));
  const sums = Object.fromEntries([...needed].map((name) => [name, all[name] ?? '0']));
  const condition = counts === 'pageviews' ? `e = '' AND ${counted}` : counted;
  const fields = listHitFields(query, needed);
  const most = query.most ?? (query.among ? MOST_TABLE_CELLS : MOST_TABLE_ROWS);
  const counting = {
    keys: Object.fromEntries(by.map((_, place) => [`k${place}`, writeAmong(place, query, counted, bind)])),
    sums: { visitors: `uniqExact(${VISITOR})`, ...sums },
    // One row more than allowed is enough to refuse the query.
    most: most + 1,
    from:
      counts === 'visits'
        ? (visits: string) => visits
        : (visits: string) => addInstant(selectHits(visits, condition, fields)),
  };
  const parts = await Promise.all(
    splitAtCut(query, scope).map((own) => count<CountedTable>({ ...own, where }, counting)),
  );
  const found = parts.length === 1 ? (parts[0] ?? []) : await sumManyRows(parts.flat(), Object.keys(counting.keys));
  if (found.length > most) return { rows: [], total: found.length, isTooLong: true };
  if (query.among) return makeCells(found, query);
  return await pickRows(found, query, needed);
}

/**
 * Picks one page of rows. The rows are read in portions, so that other requests get a turn. From each portion, the rows
 * are picked that may be on the page. The page is then picked from these rows.
 */
async function pickRows(
  found: readonly CountedTable[],
  query: Of<'table'>,
  needed: ReadonlySet<SumName>,
): Promise<TableAggregates> {
  const best = { ...query, offset: 0, limit: query.offset + query.limit };
  const names = ['visitors', ...needed];
  const readRow = (row: CountedTable): TableRow => ({
    keys: query.by.map((_, place) => row[`k${place}`] as string | number),
    sums: Object.fromEntries(names.map((name) => [name, Number(row[name])])) as TableRow['sums'],
  });
  const picked: TableRow[] = [];
  let total = 0;
  await takeInTurns(found, ROWS_A_TURN, (some) => {
    const rows = some.filter(({ visitors }) => visitors !== 0).map(readRow);
    total += rows.length;
    picked.push(...pickTableRows(rows, best));
  });
  return { rows: pickTableRows(picked, query), total, isTooLong: false };
}

/**
 * A table may end at a time of its last day. Then this day is counted on its own, with only the hits before that time.
 */
function splitAtCut(query: Of<'table'>, { ranges }: Pick<Scope, 'ranges'>): Pick<Scope, 'ranges' | 'until'>[] {
  const cut = findTableCut(query);
  if (!cut) return [{ ranges }];
  const [{ from }, to] = [query.range, cut.day];
  const whole = from < to ? [{ ranges: [{ from, to }] }] : [];
  return [...whole, { ranges: [{ from: to, to: to + 1 }], until: cut.until }];
}

function makeCells(found: readonly CountedTable[], { by, metrics: [metric] = [] }: Of<'table'>): TableAggregates {
  const read = (name = '') => Float64Array.from(found, (row) => Number(row[name] ?? 0));
  const keys = by.map((_, place) => read(`k${place}`));
  const cells = { keys, visitors: read('visitors'), counted: read(metric) };
  return { rows: [], total: found.length, isTooLong: false, cells };
}

/**
 * Makes SQL for a key of the table. The query may list wanted values of the key. For a key such as the country, each
 * visit has one value. Then the SQL gives the position of this value in the list, from 1. All other values get 0.
 *
 * For a key such as the page, a visit may have several values, one for each hit. Then the SQL gives a number with a bit
 * for each wanted value that a counted hit of the visit has. Bit 0 stands for the first wanted value.
 */
function writeAmong(place: number, query: Of<'table'>, counted: string, bind: Bind): string {
  const key = query.by[place] as TableKey;
  const values = query.among?.[place];
  const own = writeKey(key, query, bind);
  if (!values) return own;
  const position = `indexOf([${values.map(bind).join(', ')}], toString(${own}))`;
  if (!isHitKey(key)) return `toUInt32(${position})`;
  const bit = `if(${counted}, bitShiftLeft(toUInt32(1), ${position}), toUInt32(0))`;
  return `bitShiftRight(arrayReduce('groupBitOr', ${overHits('arrayMap', bit)}), 1)`;
}

/** Lists the fields of hits that the SQL of the keys and sums reads. */
function listHitFields({ by, currency }: Of<'table'>, needed: ReadonlySet<SumName>): HitField[] {
  const ofKeys = by.flatMap((key): HitField[] => {
    if (isPropertyKey(key)) return ['r'];
    if (isDimensionKey(key) && DIMENSIONS[key].kind === 'hit') return [HIT_VALUES[key as HitDimension]];
    return [];
  });
  return [
    ...ofKeys,
    'second',
    ...(needed.has('seen') ? (['n'] as const) : []),
    ...(needed.has('depth') ? (['d'] as const) : []),
    ...(currency === undefined ? [] : (['m'] as const)),
  ];
}

function writeKey(key: TableKey, { timeZone, range }: Of<'table'>, bind: Bind): string {
  if (isPropertyKey(key)) return writeProperty(readPropertyName(key), bind);
  if (isDimensionKey(key)) return DIMENSIONS[key].kind === 'hit' ? HIT_VALUES[key as HitDimension] : writeValue(key);
  if (isDayKey(key)) return DAYS[key];
  if (key === 'hour') return writeHour({ report: 'hourly', timeZone, range });
  return `positiveModulo(${writeHour({ report: 'hours', timeZone, range })}, 24)`;
}

/** The weekday of a day, from 0 for Monday. Day 4 was Monday, 5 January 1970. */
const WEEKDAY = 'positiveModulo(toInt32(day) - 4, 7)';
const DATE = 'toDate32(toInt32(day))';

const DAYS: Record<DayKey, string> = {
  day: 'toInt32(day)',
  week: `toInt32(day) - ${WEEKDAY}`,
  month: `toYear(${DATE}) * 12 + toMonth(${DATE}) - 1`,
  weekday: `${WEEKDAY} + 1`,
};
