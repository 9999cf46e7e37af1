// Runs a statement in the sandbox. A statement that only groups rows is answered from groups (grouped.ts). Any other
// statement is answered from rows. If rows were missing in a run, they are read, and the statement runs again, until no
// row is missing. Rows are read in units: all rows of a site on one day, or all rows of a site (tables.ts).
//
// Invariant: the answer does not depend on which rows were read in advance. If a unit is missing, the run gives no
// answer.
//
// Example: a statement lists the visits of a year. The first run asks for 4 days and ends. After these days are read,
// the second run asks for 16 more days, the third for 64, and so on. The sixth run has all days. The five earlier runs
// together take a little longer than the last run. A statement with `LIMIT 10` needs only the first 4 days.
//
// cli/sql.ts calls `runStatement` in a process of its own. A watchdog ends this process if the statement takes too long
// or too much memory (threads/watchdog.ts).

import type { Refusal } from '../lib/errors.ts';
import { makePrintable } from '../lib/printable.ts';
import { writeGroups } from './grouped.ts';
import { prepareRows, type Source, type SqlSite } from './rows.ts';
import { type Missing, NeedsRows, openSandbox, type Sandbox } from './sandbox.ts';
import { readShape } from './shape.ts';
import { readStatement, refuse, type Statement } from './statement.ts';
import { type SqlValue, TABLE_NAMES, TABLES, type TableName } from './tables.ts';

export type Answer = {
  columns: string[];
  rows: SqlValue[][];
  /** Whether the answer has all rows that the statement gives. */
  complete: boolean;
};

type Limits = {
  /** How many rows the answer may have. All further rows are left out. */
  rows: number;
  /** How many bytes the rows in the sandbox may take. A statement that reads more is refused. */
  bytes: number;
};

const FIRST_DAYS = 4;
const GROWTH = 4;

/**
 * The limit of an answer, in bytes of JSON for each allowed row. A longer answer is cut, like an answer with too many
 * rows.
 */
const LONGEST_ROW = 400;

export async function runStatement(
  source: Source,
  sites: readonly SqlSite[],
  typed: string,
  limits: Limits,
  ways: readonly ('groups' | 'rows')[] = ['groups', 'rows'],
): Promise<Answer> {
  const statement = readStatement(typed);
  const units = makeUnits();
  const sandbox = openSandbox(limits.bytes, units.need);
  try {
    sandbox.own(() => {
      if (isJoinOfVisitors(statement)) sandbox.indexVisitors();
      sandbox.db.exec('BEGIN');
    });
    const columns = compile(sandbox, statement);
    const shape = ways.includes('groups') ? readShape(statement.text) : undefined;
    if (shape && (await writeGroups(sandbox, source, sites, shape))) {
      return sandbox.own(() => runOnce(sandbox, { text: shape.statement, columns }, limits.rows)) as Answer;
    }
    if (!ways.includes('rows')) throw new Error('this statement is not answered from groups');
    const { readDays, readSite } = await prepareRows(sandbox, source, sites, (table, column) =>
      isNeeded(statement, sandbox, table, column),
    );
    for (;;) {
      const answer = runOnce(sandbox, { ...statement, columns }, limits.rows);
      const missing = units.takeMissing();
      if (answer && missing.length === 0) return answer;
      await readDays(missing.filter(isOfDay).map(({ unit }) => unit));
      for (const { table, unit } of missing) {
        if (table === 'crawls' || table === 'drops' || table === 'days') await readSite(table, unit);
      }
    }
  } catch (error) {
    throw explain(error, sandbox);
  } finally {
    sandbox.db.close();
  }
}

const isOfDay = ({ table }: Missing): boolean => TABLES[table].unit === 'day';

/**
 * Remembers the units whose rows were read. Visits, hits and properties share the units of their days. The first run
 * may ask for 4 missing units, and each further run for four times as many.
 */
function makeUnits() {
  const known = new Set<string>();
  let missing = new Map<string, Missing>();
  let most = FIRST_DAYS;
  const makeKey = (one: Missing): string => `${isOfDay(one) ? 'day' : one.table} ${one.unit}`;
  return {
    need(one: Missing): void {
      const key = makeKey(one);
      if (known.has(key)) return;
      missing.set(key, one);
      if (missing.size >= most) throw new NeedsRows();
    },
    takeMissing(): Missing[] {
      const taken = missing;
      missing = new Map();
      for (const key of taken.keys()) known.add(key);
      most *= GROWTH;
      return [...taken.values()];
    },
  };
}

/**
 * True if a statement may use a column. SQLite reports the columns that it reads (`asked`), but not the columns of
 * USING and of a natural join. So these columns count as used. For an empty column name: true if the statement names
 * the table.
 */
function isNeeded({ words }: Statement, { asked }: Sandbox, table: TableName, column: string): boolean {
  if (!words.has(table)) return false;
  const isUsing = words.has('natural') || (words.has('using') && words.has(column));
  return column === '' || isUsing || asked.columns.has(`${table}.${column}`);
}

/**
 * True if a statement may look for all rows of a visitor. Only such a statement gets an index, because an index takes
 * memory.
 */
const isJoinOfVisitors = ({ words }: Statement): boolean =>
  words.has('visitor') && (words.has('join') || words.has('exists') || words.has('in') || words.has(','));

/** Finds mistakes in the statement before any row is read. Returns the names of its columns. */
function compile({ db }: Sandbox, { text }: Statement): string[] {
  const columns = db.prepare(text).columns();
  if (columns.length === 0) throw refuse('the statement gives no columns. Begin it with SELECT');
  return columns.map(({ name }) => name);
}

/** A statement, and the names of the columns of its answer. */
type Compiled = { text: string; columns: string[] };

/**
 * Runs the statement with the rows that were read so far. Returns undefined if the run ended early because rows are
 * missing.
 */
function runOnce({ db }: Sandbox, { text, columns }: Compiled, most: number): Answer | undefined {
  const statement = db.prepare(text);
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  const answer: Answer = { columns, rows: [], complete: true };
  let length = countBytes(columns);
  try {
    for (const values of statement.iterate() as Iterable<unknown>) {
      const row = (values as unknown[]).map(readValue);
      length += countBytes(row);
      if (answer.rows.length === most || length > most * LONGEST_ROW) return { ...answer, complete: false };
      answer.rows.push(row);
    }
  } catch (error) {
    if (error instanceof NeedsRows) return undefined;
    throw error;
  }
  return answer;
}

/**
 * Counts the bytes of a row. A character may take one byte or six, such as `\u0001`. For this reason, the JSON is
 * measured exactly as the command prints it. One byte is added for the comma.
 */
const countBytes = (row: readonly SqlValue[]): number => Buffer.byteLength(makePrintable(JSON.stringify(row))) + 1;

/**
 * Makes a value that JSON can represent. Infinity and whole numbers beyond 2^53 become texts, and a blob becomes a text
 * of hex digits.
 */
function readValue(value: unknown): SqlValue {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value as SqlValue;
}

const MESSAGES: Record<number, string> = {
  7: 'the statement needs too much memory. Read less: choose one site and fewer days',
  13: 'the statement reads too many rows. Read less: choose one site and fewer days',
  18: 'the statement makes a text that is too long. A text may have 1 MB',
};

/** Explains an error of SQLite in words about the statement. All other errors are returned unchanged. */
function explain(error: unknown, { asked }: Sandbox): unknown {
  const { code, errcode, message } = error as { code?: string; errcode?: number; message: string };
  if (code !== 'ERR_SQLITE_ERROR' || errcode === undefined) return error;
  if (asked.refused !== undefined) return refuse(asked.refused);
  const known = MESSAGES[errcode & 0xff];
  const more = message.startsWith('no such table') ? `. The tables are ${TABLE_NAMES.join(', ')}` : '';
  return refuse(known ?? `the statement is not right: ${message}${more}`) satisfies Refusal;
}
