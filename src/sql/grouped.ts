// Answers a statement from groups of rows (shape.ts). Rows are grouped by the codes of columns, and not copied. Only
// the groups are written to the sandbox, and there SQLite computes the result.
//
// Invariant: the answer is equal to the answer from rows (run.ts). If this file cannot give this answer, the statement
// is answered from rows. For example, a sum may have texts, or there may be too many groups.
//
// Example: a statement counts the visits of a year by country. Each day has a column with one code for each visit. Two
// million codes are counted, and then 120 rows are written to the sandbox.

import type { DayTable } from '../engine/day-table.ts';
import { cached } from '../lib/cache.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { type Coded, type Codes, combine, encode, makePairs, mapNumbers, repeat, TooMany, take } from './codes.ts';
import { type Compute, type Frame, isTyped, prepareComputing } from './expressions.ts';
import { EVER, listRuns, type Source, type SqlSite } from './rows.ts';
import type { Sandbox } from './sandbox.ts';
import { type Expression, GROUP, isColumn, KEY, type Shape, TOTAL } from './shape.ts';
import { type ReadHit, type ReadVisit, TABLES, type ValueColumn } from './tables.ts';
import { makeTotals, Unsuitable, type Value } from './totals.ts';

/** Writes the groups to the sandbox. Returns false if the statement must be answered from rows. */
export async function writeGroups(
  sandbox: Sandbox,
  source: Source,
  sites: readonly SqlSite[],
  shape: Shape,
): Promise<boolean> {
  try {
    await groupRows(sandbox, source, sites, shape);
    return true;
  } catch (error) {
    const isOfStatement = (error as { code?: string }).code === 'ERR_SQLITE_ERROR';
    if (error instanceof Unsuitable || error instanceof TooMany || isOfStatement) return false;
    throw error;
  }
}

async function groupRows(sandbox: Sandbox, source: Source, sites: readonly SqlSite[], shape: Shape): Promise<void> {
  const prepare = prepareComputing(sandbox);
  const prepareConditions = (some: readonly Expression[]): Compute[] =>
    some.map(({ sql, columns }) => prepare({ sql: `CASE WHEN ${sql} THEN 1 ELSE 0 END`, columns }));
  const ofDays = prepareConditions(shape.conditions.filter(({ columns }) => columns.every(isTyped)));
  const days: { unit: number; siteId: number; day: number }[] = [];
  for (const [i, { id, domain, range = EVER }] of sites.entries()) {
    const { hits } = await source.listDays(id);
    for (const day of hits.toSorted((one, other) => one - other)) {
      const isWanted = day >= range.from && day < range.to && !isFalse(ofDays, readDay(domain, day));
      if (isWanted) days.push({ unit: i * EVER.to + day, siteId: id, day });
    }
  }
  if (shape.needsOneSite && new Set(days.map(({ siteId }) => siteId)).size > 1) throw new Unsuitable();
  const groups = makeGroups(
    shape,
    prepare,
    prepareConditions(shape.conditions.filter(({ columns }) => !columns.every(isTyped))),
  );
  for (const { siteId, range } of listRuns(days)) {
    const { domain } = sites.find(({ id }) => id === siteId) as SqlSite;
    await source.visitTables(siteId, range, (table) => groups.add(table, domain));
  }
  groups.write(sandbox);
}

const isFalse = (conditions: readonly Compute[], frame: Frame): boolean =>
  conditions.some((condition) => {
    const { values, numbers } = condition(frame);
    return values[numbers[0] as number] === 0n;
  });

/** Reads the columns `site` and `day`, which have one value for all rows of a day. */
const readDay = (domain: string, day: number): Frame => ({
  rows: 1,
  read: (column) => ({ values: [column === 'site' ? domain : formatDay(day * DAY)], codes: new Uint8Array(1) }),
});

function makeGroups(shape: Shape, prepare: (expression: Expression) => Compute, conditions: readonly Compute[]) {
  const keys = shape.keys.map((expression) => ({
    expression,
    compute: prepare(expression),
    pairs: makePairs(),
    values: NONE,
  }));
  const aggregates = shape.aggregates.map((one) => ({
    ...one,
    compute: 'expression' in one ? prepare(one.expression) : undefined,
    totals: makeTotals(one),
  }));
  const counts = makeTotals({ name: 'rows' });
  const numberRows = makeRowNumbers();

  function addRows(table: DayTable, domain: string, property?: string): void {
    const { whole, some } = makeFrame(table, domain, shape, property);
    const { frame, rows } = select(whole, some, conditions);
    const size = frame.rows;
    if (size === 0) return;
    let all: Coded = { codes: new Uint8Array(size), numbers: [0] };
    for (const key of keys) {
      const { codes, numbers, values } = key.compute(frame);
      key.values = values;
      all = combine(all, { codes, numbers }, size, key.pairs);
    }
    const groups = replace(all);
    const most = keys.at(-1)?.pairs.firsts.length ?? 1;
    counts.add({ groups, codes: groups, values: [], numbers: [], size: most });
    for (const { name, compute, totals } of aggregates) {
      const { codes, numbers, values } = compute?.(frame) ?? { codes: groups, numbers: [], values: [] };
      const isNumbered = name === 'visitor' || name === 'visit';
      totals.add({
        groups,
        size: most,
        codes,
        values: mapNumbers(numbers, (number) => values[number] as Value),
        numbers: isNumbered ? numberRows(table, domain, name, { shape, rows }) : [],
      });
    }
  }

  return {
    add(table: DayTable, domain: string): void {
      if (shape.tables[0] === 'properties') for (const name of table.propertyNames) addRows(table, domain, name);
      else addRows(table, domain);
    },
    /** Writes a row for each group. A statement without GROUP BY has one row, even if there is nothing to count. */
    write({ db, own }: Sandbox): void {
      own(() => {
        const names = [...keys.map((_, i) => `${KEY}${i}`), ...aggregates.map((_, i) => `${TOTAL}${i}`)];
        const typed = (name: string, i: number) => `${name}${keys[i] && isText(keys[i].expression) ? ' TEXT' : ''}`;
        db.exec(`CREATE TEMP TABLE ${GROUP} (${names.map(typed).join(', ')})`);
        const insert = db.prepare(`INSERT INTO ${GROUP} VALUES (${names.map(() => '?').join(', ')})`);
        const size = keys.at(-1)?.pairs.firsts.length ?? 1;
        for (const { values } of keys) if (hasTwoKindsOfNumbers(values)) throw new Unsuitable();
        for (let group = 0; group < size; group++) {
          if (keys.length > 0 && counts.read(group) === 0n) continue;
          const row: Value[] = aggregates.map(({ totals }) => totals.read(group));
          let number = group;
          for (const { pairs, values } of keys.toReversed()) {
            row.unshift(values[pairs.seconds[number] as number] as Value);
            number = pairs.firsts[number] as number;
          }
          insert.run(...row);
        }
      });
    },
  };
}

const NONE: readonly Value[] = [];

/**
 * Makes a function that returns the number of the visitor, or of the visit, for each row of a table. Numbers ascend
 * from row to row, and no number is used on two days.
 */
function makeRowNumbers() {
  let [before, last, latest] = [0, 0, ''];
  type Chosen = { shape: Shape; rows: Uint32Array | undefined };
  return (table: DayTable, domain: string, name: 'visitor' | 'visit', { shape, rows }: Chosen): Codes => {
    const { visits, visitsBefore, day } = table;
    if (`${domain} ${day}` !== latest) [before, latest] = [last, `${domain} ${day}`];
    const own = name === 'visitor' ? table.visitors : countUp(visits, visitsBefore + 1);
    last = Math.max(last, before + (own[visits - 1] ?? 0));
    return shift(take(shape.tables[0] === 'visits' ? own : repeat(own, table.starts), rows), before);
  };
}

const isText = (expression: Expression): boolean => isColumn('site')(expression) || isColumn('day')(expression);

/** 1 and 1.0 are one group in SQLite, but two values here. */
const hasTwoKindsOfNumbers = (values: readonly Value[]): boolean =>
  values.some((value) => typeof value === 'bigint') && values.some((value) => typeof value === 'number');

function countUp(size: number, first: number): Uint32Array {
  const numbers = new Uint32Array(size);
  for (let i = 0; i < size; i++) numbers[i] = first + i;
  return numbers;
}

function shift(numbers: Codes, by: number): Uint32Array {
  const shifted = new Uint32Array(numbers.length);
  for (let i = 0; i < shifted.length; i++) shifted[i] = by + (numbers[i] as number);
  return shifted;
}

function replace({ codes, numbers }: Coded): Uint32Array {
  const replaced = new Uint32Array(codes.length);
  for (let row = 0; row < replaced.length; row++) replaced[row] = numbers[codes[row] as number] as number;
  return replaced;
}

/**
 * Lists the rows that pass all conditions, and makes a frame with only these rows. Each condition is computed only for
 * the rows that passed the conditions before it. `rows` is undefined if all rows passed.
 */
function select(whole: Frame, some: Uint32Array | undefined, conditions: readonly Compute[]) {
  let [rows, frame] = [some, some ? narrow(whole, some) : whole];
  for (const condition of conditions) {
    const { codes, numbers, values } = condition(frame);
    const isTrue = Uint8Array.from(numbers, (number) => Number(values[number] === 1n));
    if (!isTrue.includes(0)) continue;
    rows = rows ? listPassed(rows, codes, isTrue) : listAllPassed(frame.rows, codes, isTrue);
    frame = narrow(whole, rows);
  }
  return { rows, frame };
}

/** Makes a frame with only some rows of a frame. */
const narrow = (whole: Frame, rows: Uint32Array): Frame => ({
  rows: rows.length,
  read: cached((column) => {
    const { values, codes } = whole.read(column);
    return { values, codes: take(codes, rows) };
  }),
});

/** Like `listPassed`, for all rows of a table. */
function listAllPassed(count: number, codes: Codes, isTrue: Uint8Array): Uint32Array {
  const passed = new Uint32Array(count);
  let size = 0;
  for (let row = 0; row < count; row++) {
    passed[size] = row;
    size += isTrue[codes[row] as number] as number;
  }
  return passed.subarray(0, size);
}

/** `codes` has a code for each of the rows. `isTrue` has 1 for each code that passes. */
function listPassed(rows: Uint32Array, codes: Codes, isTrue: Uint8Array): Uint32Array {
  const passed = new Uint32Array(rows.length);
  let size = 0;
  for (let i = 0; i < rows.length; i++) {
    passed[size] = rows[i] as number;
    size += isTrue[codes[i] as number] as number;
  }
  return passed.subarray(0, size);
}

/**
 * Makes `whole`, which reads the columns of all rows in one table of a day. The rows are visits or hits. For a
 * property, `some` lists the hits that have the property.
 */
function makeFrame(table: DayTable, domain: string, { tables: [base] }: Shape, property = '') {
  const { starts, hits } = base === 'visits' ? { starts: [], hits: 0 } : table;
  const rows = base === 'visits' ? table.visits : hits;
  const day = readDay(domain, table.day);

  function readHits(read: ReadHit): ValueColumn {
    if (read.column) return read.column;
    const visits = repeat(
      Uint32Array.from({ length: table.visits }, (_, visit) => visit),
      starts,
    );
    return encode((hit) => read(visits[hit] as number, hit), rows);
  }

  function readVisits(read: ReadVisit): ValueColumn {
    const { values, codes } = read.column ?? encode(read, table.visits);
    if (base === 'visits') return { values, codes };
    return { values, codes: values.length === 1 ? new Uint8Array(rows) : repeat(codes, starts) };
  }

  function find(name: string): ValueColumn {
    if (isTyped(name)) return { values: day.read(name).values, codes: new Uint8Array(rows) };
    if (base === 'properties' && name === 'name') return { values: [property], codes: new Uint8Array(rows) };
    if (base === 'properties' && name === 'value') return readProperty(table, property);
    const visits: Record<string, (table: DayTable) => ReadVisit> = TABLES.visits.columns;
    const ofHits: Record<string, (table: DayTable) => ReadHit> = TABLES.hits.columns;
    return visits[name] ? readVisits(visits[name](table)) : readHits((ofHits[name] as (typeof ofHits)[string])(table));
  }

  const whole: Frame = { rows, read: cached(find) };
  return { whole, some: base === 'properties' ? listGiven(whole.read('value')) : undefined };
}

function readProperty({ readProperty: read }: DayTable, name: string): ValueColumn {
  const { texts, codes } = read(name);
  return { values: texts, codes };
}

/** Lists the hits with a property. */
function listGiven({ values, codes }: ValueColumn): Uint32Array {
  const rows = new Uint32Array(codes.length);
  let size = 0;
  for (let hit = 0; hit < codes.length; hit++) {
    rows[size] = hit;
    size += Number(values[codes[hit] as number] !== '');
  }
  return rows.subarray(0, size);
}
