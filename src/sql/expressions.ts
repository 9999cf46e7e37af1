// Computes the expressions of a statement (shape.ts) for the rows of a day. SQLite computes each expression, so texts,
// NULL and functions mean what they mean in SQLite. It does so once for each distinct combination of values of the
// columns.
//
// Invariant: SQLite gets the values in a table whose columns have the types of the real tables.
//
// Example: a day has 100,000 hits and 300 pages. For the condition `page LIKE '/guide/%'`, SQLite computes 300 values.
// On the next day, only the pages that are new are computed.

import { type Coded, combine, makeNumbering, makePairs, mapNumbers, type Numbering, type Pairs } from './codes.ts';
import type { Sandbox } from './sandbox.ts';
import type { Expression } from './shape.ts';
import { OWN } from './statement.ts';
import type { SqlValue, ValueColumn } from './tables.ts';
import type { Value } from './totals.ts';

/** Reads the columns of some rows. `rows` is their number. */
export type Frame = { rows: number; read(column: string): ValueColumn };

/**
 * The values of an expression for some rows of a day. `codes` has a code for each row. `numbers` has an index into
 * `values` for each code.
 */
type Computed = Coded & { values: readonly Value[] };
export type Compute = (frame: Frame) => Computed;

/**
 * The columns with the type TEXT. All other columns have no type, so SQLite compares them with numbers in another way.
 */
export const isTyped = (column: string): boolean => column === 'site' || column === 'day';

export function prepareComputing(sandbox: Sandbox) {
  let tables = 0;
  return (expression: Expression): Compute => {
    const columns = expression.columns.map((name) => ({ name, ...makeNumbering<SqlValue>() }));
    const [only] = columns;
    const read = ({ rows, ...frame }: Frame, { name, find }: Numbering<SqlValue> & { name: string }): Coded => {
      const { values, codes } = frame.read(name);
      if (codes.length < rows) throw new RangeError(`${name} is too short`);
      return { codes, numbers: values.map(find) };
    };
    if (only && columns.length === 1 && expression.sql === `${OWN}0`)
      return (frame) => ({ ...read(frame, only), values: only.values });
    const pairs = columns.map(makePairs);
    const compute = prepareTable(sandbox, expression, tables++);
    const results = makeNumbering<Value>();
    const known: (number | undefined)[] = [];

    /** Returns one value for each column: the combination of values that has this number. */
    function findValues(number: number): SqlValue[] {
      const values: SqlValue[] = [];
      let pair = number;
      for (let place = columns.length - 1; place >= 0; place--) {
        const { firsts, seconds } = pairs[place] as Pairs;
        values[place] = columns[place]?.values[seconds[pair] as number] as SqlValue;
        pair = firsts[pair] as number;
      }
      return values;
    }

    return (frame) => {
      let all: Coded = { codes: new Uint8Array(frame.rows), numbers: [0] };
      for (const [i, column] of columns.entries())
        all = combine(all, read(frame, column), frame.rows, pairs[i] as Pairs);
      const missing = mapNumbers(all.numbers, (number) => number).filter((number) => known[number] === undefined);
      const found = missing.length === 0 ? [] : compute(missing.map(findValues));
      for (const [i, number] of missing.entries()) known[number] = results.find(found[i] as Value);
      return {
        codes: all.codes,
        numbers: mapNumbers(all.numbers, (number) => known[number] as number),
        values: results.values,
      };
    };
  };
}

/** Prepares a table for the values of the columns. The returned function computes the expression for rows of values. */
function prepareTable({ db, own }: Sandbox, { sql, columns }: Expression, number: number) {
  return own(() => {
    const table = `${OWN}values${number}`;
    const names = columns.map((name, i) => `${OWN}${i}${isTyped(name) ? ' TEXT' : ''}`);
    db.exec(`CREATE TEMP TABLE ${table} (${[`${OWN}row INTEGER PRIMARY KEY`, ...names].join(', ')})`);
    const insert = db.prepare(`INSERT INTO ${table} VALUES (${['?', ...names.map(() => '?')].join(', ')})`);
    const select = db.prepare(`SELECT ${sql} FROM ${table} ORDER BY ${OWN}row`);
    select.setReturnArrays(true);
    select.setReadBigInts(true);
    const clear = db.prepare(`DELETE FROM ${table}`);
    return (rows: readonly SqlValue[][]): Value[] =>
      own(() => {
        for (const [i, values] of rows.entries()) insert.run(i, ...values);
        const found = (select.all() as unknown as Value[][]).map(([value]) => value as Value);
        clear.run();
        return found;
      });
  });
}
