import { statSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Engine, THREADS, type Words } from './engine.ts';
import type { Row } from './result.ts';
import { counted, type Dialect, hits, quoted, reaches } from './sql.ts';
import { TABLES, typeOf } from './tables.ts';

const NAMES = ['visit', 'hit'] as const;

/** The columns of pages have one common type, so that they can be compared. */
const enumOf = (column: string): string => `${/^(?:page|entry|exit)$/.test(column) ? 'page' : column}_word`;

const dialect: Dialect = {
  distinct: (column) => `count(DISTINCT ${column})`,
  hour: 'second // 3600',
  // For each group, this is up to twice as fast as `distinct`.
  distinctBy: (key, from) =>
    `SELECT value, count(*) AS visitors FROM (SELECT DISTINCT ${key} AS value, visitor FROM ${from}) GROUP BY value`,
  steps(targets, chosen) {
    const reached = targets.map((target, i) => {
      const from = hits(chosen, [reaches(target)]);
      if (i === 0) return `r0 AS MATERIALIZED (SELECT visitor, min(id) AS id FROM ${from} GROUP BY visitor)`;
      return `r${i} AS MATERIALIZED (SELECT later.visitor, min(later.id) AS id FROM (SELECT visitor, id FROM ${from}) AS later
        JOIN r${i - 1} AS last ON later.visitor = last.visitor AND later.id > last.id GROUP BY later.visitor)`;
    });
    const counts = targets.map((_, i) => `(SELECT count(*) FROM r${i})`);
    return `WITH ${reached.join(', ')} SELECT ${counts.join(', ')}`;
  },
  viewsBy: (chosen) =>
    `SELECT visit, count(*) FILTER (WHERE event = '') AS views FROM ${counted(chosen)} GROUP BY visit`,
};

/** Makes a DuckDB file in which words are enums, the fastest type for them in DuckDB. */
export async function duckdb(path: string): Promise<Engine> {
  const instance = await DuckDBInstance.create(path, { threads: String(THREADS) });
  const connection = await instance.connect();
  const run = async (sql: string): Promise<Row[]> => {
    const rows = (await connection.runAndReadAll(sql)).getRows();
    return rows.map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : String(value))));
  };

  async function makeEnums(words: Words): Promise<void> {
    const types = new Map<string, Set<string>>();
    for (const [column, found] of words) {
      types.set(enumOf(column), new Set([...(types.get(enumOf(column)) ?? []), ...found]));
    }
    for (const [name, found] of types) {
      // The words are sorted first. Then sorting by the enum gives the order of the texts.
      await connection.run(`CREATE TYPE ${name} AS ENUM (${[...found].sort().map(quoted).join(', ')})`);
    }
  }

  return {
    name: 'DuckDB',
    version: String((await run('SELECT version()'))[0]?.[0]),
    dialect,
    async load(file, words) {
      await makeEnums(words);
      for (const name of NAMES) {
        const columns = TABLES[name].map((column) => [column, typeOf(column, { number: 'UINTEGER', word: enumOf })]);
        await connection.run(
          `CREATE TABLE ${name} (${columns.map((pair) => `${pair.join(' ')} NOT NULL`).join(', ')})`,
        );
        const text = columns.map(
          ([column, type]) => `'${column}': '${type === 'UINTEGER' || type === 'DATE' ? type : 'VARCHAR'}'`,
        );
        await connection.run(`INSERT INTO ${name} SELECT * FROM read_csv(${quoted(file(name))}, delim = '\\t', header = false,
          auto_detect = false, quote = '', escape = '', nullstr = '(none)', columns = {${text.join(', ')}})`);
      }
      await connection.run('CHECKPOINT');
    },
    run,
    bytes: async () => statSync(path).size,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
