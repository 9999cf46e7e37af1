// Makes the database in memory in which a statement runs. The database has the tables of tables.ts as SQL views, and
// opens no file.
//
// A view joins its units with rows. A unit is all rows of a site on one day, or all rows of a site. The view `visits`
// is `daybook_day u CROSS JOIN daybook_visits r ON r.unit = daybook_need('visits', u.id)`. SQLite tests conditions on
// `site` and `day` before it calls `daybook_need`. This function is therefore called with exactly those units whose
// rows the statement reads. The rows of all other units are never needed.
//
// Invariant: an answer counts only if all units that the statement asked for had their rows. Otherwise, run.ts reads
// the missing units and runs the statement again.
//
// Example: `WHERE day >= '2026-11-01'` asks for the days since then. A `LIMIT 10` without a condition asks for the
// first days, until there are ten rows.

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Refusal } from '../lib/errors.ts';
import { type Asked, makeAuthorizer, NEED } from './allowed.ts';
import { OWN } from './statement.ts';
import { listColumns, TABLE_NAMES, TABLES, type TableName } from './tables.ts';

/** A unit whose rows are missing. */
export type Missing = { table: TableName; unit: number };

/** Ends a run that has asked for as many missing units as one run may. run.ts then reads these units. */
export class NeedsRows extends Error {}

export type Sandbox = {
  db: DatabaseSync;
  asked: Asked;
  /** Runs `work` with all permissions (allowed.ts), so that `work` may write. */
  own<Result>(work: () => Result): Result;
  /**
   * Adds an index with which joins find the visits and hits of a visitor quickly. run.ts calls this function only for
   * statements that may need the index, because an index takes memory.
   */
  indexVisitors(): void;
  /** Prepares the SQL that writes a row: its unit, and these columns. All other columns stay NULL. */
  insert(table: TableName, columns: readonly string[]): StatementSync;
};

const PAGE = 4096;

/** The longest text or blob. SQLite refuses a longer one, so no single call of a function can fill the memory. */
const LONGEST_VALUE = 1_000_000;

const LIMITS = {
  length: LONGEST_VALUE,
  sqlLength: LONGEST_VALUE,
  column: 200,
  exprDepth: 200,
  compoundSelect: 50,
  vdbeOp: 1_000_000,
  functionArg: 100,
  attach: 0,
  likePatternLength: 1_000,
  variableNumber: 50,
  triggerDepth: 1,
};

/**
 * Makes the database. `bytes` limits the size of its tables. `need` is called with each unit that the statement reads.
 */
export function openSandbox(bytes: number, need: (missing: Missing) => void): Sandbox {
  const db = new DatabaseSync(':memory:', {
    allowExtension: false,
    enableForeignKeyConstraints: false,
    limits: LIMITS,
  });
  // An older Node ignores the limits without an error, so the limits are checked.
  if (!('setAuthorizer' in db) || db.limits?.length !== LONGEST_VALUE) {
    db.close();
    throw new Refusal(`daybook sql needs Node 24.15 or newer, and this is ${process.versions.node}`);
  }
  db.exec(`PRAGMA page_size = ${PAGE}; PRAGMA temp_store = MEMORY; PRAGMA journal_mode = OFF;
    PRAGMA max_page_count = ${Math.ceil(bytes / PAGE)};
    CREATE TABLE ${OWN}site (id INTEGER PRIMARY KEY, site TEXT UNIQUE);
    CREATE TABLE ${OWN}day (id INTEGER PRIMARY KEY, site TEXT, day TEXT, UNIQUE (site, day));
    CREATE INDEX ${OWN}day_day ON ${OWN}day (day);`);
  db.function(NEED, { deterministic: false, directOnly: false }, (table, unit) => {
    need({ table: table as TableName, unit: unit as number });
    return unit;
  });
  for (const table of TABLE_NAMES) db.exec(writeTable(table));
  const asked: Asked = { isOwn: false, columns: new Set(), refused: undefined };
  db.setAuthorizer(makeAuthorizer(asked));
  return {
    db,
    asked,
    own(work) {
      asked.isOwn = true;
      try {
        return work();
      } finally {
        asked.isOwn = false;
      }
    },
    indexVisitors() {
      for (const table of ['visits', 'hits']) {
        db.exec(`CREATE INDEX ${OWN}${table}_visitor ON ${OWN}${table} (unit, visitor)`);
      }
    },
    insert: (table, columns) =>
      db.prepare(
        `INSERT INTO ${OWN}${table} (${['unit', ...columns].map(quote).join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`,
      ),
  };
}

const quote = (name: string): string => `"${name}"`;

/** Lists the columns of the stored rows: the key first, and then all others. */
export const listStored = (table: TableName): string[] => {
  const { key, columns }: { key: readonly string[]; columns: object } = TABLES[table];
  return [...key, ...Object.keys(columns).filter((name) => !key.includes(name))];
};

function writeTable(table: TableName): string {
  const { unit, key } = TABLES[table];
  const stored = listStored(table);
  const row = `${OWN}${table}`;
  const columns = `unit INTEGER, ${stored.map(quote).join(', ')}`;
  const create =
    key.length === 0
      ? `CREATE TABLE ${row} (${columns}); CREATE INDEX ${row}_unit ON ${row} (unit);`
      : `CREATE TABLE ${row} (${columns}, PRIMARY KEY (unit, ${key.map(quote).join(', ')})) WITHOUT ROWID;`;
  const own = ['site', ...(unit === 'day' ? ['day'] : [])];
  const selected = listColumns(table).map((name) => `${own.includes(name) ? 'u' : 'r'}.${quote(name)}`);
  return `${create}
    CREATE VIEW ${table} AS SELECT ${selected.join(', ')}
      FROM ${OWN}${unit} u CROSS JOIN ${row} r ON r.unit = ${NEED}('${table}', u.id);`;
}
