import type { Db } from './statements.ts';

/**
 * What a collector has of the primary's file: tables, the columns of which it reads, and how a value that is no text or number goes
 * over the wire. Salts are only added, because the collector itself lets them go when their day is over by its clock.
 */
const MIRRORED = {
  site: { columns: ['id', 'domain', 'track_crawlers', 'private_paths', 'time_zone'] },
  zone_change: { columns: ['site_id', 'at', 'day', 'time_zone'] },
  former_domain: { columns: ['domain', 'site_id', 'until'] },
  salt: { columns: ['site_id', 'day', 'bytes'], isAdded: true },
  trusted_day: { columns: ['one', 'day'] },
  cluster_server: { columns: ['url', 'shard', 'replica', 'state', 'fill'] },
} as const satisfies Record<string, { columns: readonly string[]; isAdded?: true }>;

export type Mirrored = keyof typeof MIRRORED;
export const MIRRORED_TABLES = Object.keys(MIRRORED) as Mirrored[];

type Row = (string | number)[];
/** Rows by table, as lists of the values of its columns. */
export type Mirror = Record<Mirrored, Row[]>;

const readOf = (name: string): string => (name === 'bytes' ? 'hex(bytes)' : name);

function listRows(db: Db, table: Mirrored): Row[] {
  const columns = MIRRORED[table].columns.map(readOf).join(', ');
  return db.lists<Row>(`SELECT ${columns} FROM ${table} ORDER BY 1, 2`);
}

export const findMirror = (db: Db): Mirror =>
  db.read(() => Object.fromEntries(MIRRORED_TABLES.map((table) => [table, listRows(db, table)]))) as Mirror;

/** Whether a row has a value for each column of its table. */
export const isRowOf = (table: Mirrored, row: readonly unknown[]): boolean =>
  row.length === MIRRORED[table].columns.length;

/** Makes the tables what they are at the primary; gives those that were not. Call it inside a transaction. */
export function setMirror(db: Db, mirror: Mirror): Set<Mirrored> {
  const changed = new Set<Mirrored>();
  for (const table of MIRRORED_TABLES) {
    const { columns, isAdded = false }: { columns: readonly string[]; isAdded?: boolean } = MIRRORED[table];
    const [before, after] = [listRows(db, table), mirror[table]].map(
      (rows) => new Map(rows.map((row) => [JSON.stringify(row), row])),
    ) as [Map<string, Row>, Map<string, Row>];
    const is = columns.map((name) => `${readOf(name)} IS ?`).join(' AND ');
    const put = columns.map((name) => (name === 'bytes' ? 'unhex(?)' : '?')).join(', ');
    const gone = isAdded ? [] : [...before].filter(([key]) => !after.has(key));
    const come = [...after].filter(([key]) => !before.has(key));
    for (const [, row] of gone) db.run(`DELETE FROM ${table} WHERE ${is}`, ...row);
    for (const [, row] of come) db.run(`REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${put})`, ...row);
    if (gone.length + come.length > 0) changed.add(table);
  }
  return changed;
}
