// Decides what a statement may do: read the tables, and call functions that only compute. Before SQLite runs a
// statement, it asks for permission for each table, column and function in the statement.
//
// Invariant: everything that is not listed here is refused. For this reason, no statement can write, open a file,
// change a setting or load code.
//
// Example: `SELECT load_extension('x')` asks for the function `load_extension`, which is not in the list. The statement
// is refused, and the error names the function.
//
// sandbox.ts passes `makeAuthorizer` to SQLite. Test: test/sql/hostile.program.test.ts.

import { constants } from 'node:sqlite';
import { OWN } from './statement.ts';
import { isTable, TABLE_NAMES } from './tables.ts';

/** Functions that only compute a value. They read no file and change nothing. */
const FUNCTIONS = new Set(
  `abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling char coalesce concat concat_ws cos cosh count
  cume_dist current_date current_time current_timestamp date datetime degrees dense_rank exp first_value floor format
  glob group_concat hex if ifnull iif instr json json_array json_array_insert json_array_length json_each json_error_position
  json_extract json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote
  json_remove json_replace json_set json_type json_valid jsonb jsonb_array jsonb_extract jsonb_group_array
  jsonb_group_object jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set julianday lag
  last_value lead length like likelihood likely ln log log10 log2 lower ltrim max median min mod nth_value ntile
  nullif octet_length percent_rank percentile percentile_cont percentile_disc pi pow power printf quote radians
  random randomblob rank replace round row_number rtrim sign sin sinh sqrt strftime string_agg substr substring sum
  tan tanh time timediff total trim trunc typeof unhex unicode unistr unistr_quote unixepoch unlikely upper zeroblob
  -> ->>`.split(/\s+/),
);

/** Tables that SQLite makes from a JSON text. */
const JSON_TABLES = ['json_each', 'json_tree'];

/**
 * True for SQLite's own tables. These tables are refused, because they reveal file names and the structure of the
 * database.
 */
const isOfSqlite = (name: string): boolean =>
  /^(?:sqlite_|pragma_|dbstat|fts|bytecode|tables_used|completion)/.test(name);

/**
 * The function that the SQL views of the sandbox call to ask for the rows of a unit. A unit is all rows of a site, or
 * of a site and day (sandbox.ts).
 */
export const NEED = `${OWN}need`;

export type Asked = {
  /** True while daybook itself runs SQL in the sandbox, for example to fill the tables. Then everything is allowed. */
  isOwn: boolean;
  /** The columns that the statement reads, such as `visits.country`. */
  columns: Set<string>;
  /** Why the statement was refused. */
  refused: string | undefined;
};

type Authorizer = (
  action: number,
  first: string | null,
  second: string | null,
  db: string | null,
  via: string | null,
) => number;

export function makeAuthorizer(asked: Asked): Authorizer {
  const deny = (reason: string): number => {
    asked.refused ??= reason;
    return constants.SQLITE_DENY;
  };
  return (action, first, second, _, via) => {
    if (asked.isOwn) return constants.SQLITE_OK;
    const isInView = via !== null && isTable(via);
    switch (action) {
      case constants.SQLITE_SELECT:
      case constants.SQLITE_RECURSIVE:
        return constants.SQLITE_OK;
      case constants.SQLITE_READ: {
        const name = (first ?? '').toLowerCase();
        // If a statement only counts rows, SQLite asks for a column with an empty name.
        const isOwn = name.startsWith(OWN) && (isInView || second === '');
        const isOfStatement = second === '' && !isOfSqlite(name);
        if (isTable(name)) asked.columns.add(`${name}.${second}`);
        if (isTable(name) || JSON_TABLES.includes(name) || isOwn || isOfStatement) return constants.SQLITE_OK;
        return deny(`there is no table ${first}. The tables are ${TABLE_NAMES.join(', ')}`);
      }
      case constants.SQLITE_FUNCTION: {
        const name = (second ?? '').toLowerCase();
        if (FUNCTIONS.has(name) || (isInView && name === NEED)) return constants.SQLITE_OK;
        return deny(`the function ${second} is not allowed. Use functions that only compute, such as count or substr`);
      }
      default:
        return deny('a statement can only read. Begin it with SELECT, WITH or VALUES');
    }
  };
}
