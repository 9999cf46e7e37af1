import { Session } from 'chdb';
import { type Engine, THREADS } from './engine.ts';
import type { Row } from './result.ts';
import { type Dialect, hits, quoted, reaches, reachesAny, where } from './sql.ts';
import { TABLES, typeOf } from './tables.ts';

const FORMAT = 'JSONCompactEachRow';

/** Numbers that count up are kept as differences. */
const codecOf = (column: string): string => (/^(?:id|visit|visitor)$/.test(column) ? ' CODEC(Delta, LZ4)' : '');

const dialect: Dialect = {
  // Up to twice as fast as uniqExact, because visitors and visits are numbers that count up.
  distinct: (column) => `groupBitmap(${column})`,
  hour: 'intDiv(second, 3600)',
  distinctBy: (key, from) => `SELECT ${key} AS value, groupBitmap(visitor) AS visitors FROM ${from} GROUP BY value`,
  // Ids stand for moments: they are in the order of time, and no two are the same.
  steps(targets, chosen) {
    const counts = targets.map((_, i) => `countIf(level > ${i})`);
    return `SELECT ${counts.join(', ')} FROM (SELECT windowFunnel(4294967295)(id, ${targets.map(reaches).join(', ')}) AS level
      FROM ${hits(chosen, [reachesAny(targets)])} GROUP BY visitor)`;
  },
  // One pass over the hits, which is faster here than a set of visits for each condition.
  viewsBy({ shared, some, page }) {
    const every = some.map((condition) => `countIf(${condition}) > 0`).join(' AND ');
    return `SELECT visit, countIf(${page} AND event = '') AS views
      FROM hit ${where([...shared, `(${some.join(' OR ')})`])} GROUP BY visit HAVING ${every}`;
  },
};

/** ClickHouse in this process, with its data in a folder. */
export async function clickhouse(folder: string): Promise<Engine> {
  const session = new Session(folder);
  const run = async (sql: string): Promise<Row[]> => {
    const text = (await session.queryAsync(sql, { format: FORMAT })).text();
    return text === ''
      ? []
      : text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Row);
  };
  for (const sql of [`SET max_threads = ${THREADS}`, 'CREATE DATABASE IF NOT EXISTS year', 'USE year'])
    session.query(sql);

  return {
    name: 'ClickHouse',
    version: String((await run('SELECT version()'))[0]?.[0]),
    dialect,
    async load(file) {
      for (const name of ['visit', 'hit'] as const) {
        const columns = (word: string, codec: (column: string) => string): string =>
          TABLES[name]
            .map((column) => `${column} ${typeOf(column, { number: 'UInt32', word: () => word })}${codec(column)}`)
            .join(', ');
        const kept = columns('LowCardinality(String)', codecOf);
        session.query(`CREATE TABLE ${name} (${kept}) ENGINE = MergeTree ORDER BY (day, visitor, id)`);
        const given = columns('String', () => '');
        session.query(`INSERT INTO ${name} SELECT * FROM file(${quoted(file(name))}, 'TSV', ${quoted(given)})`);
        session.query(`OPTIMIZE TABLE ${name} FINAL`);
      }
    },
    run,
    async bytes() {
      const sql = "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'year'";
      return Number((await run(sql))[0]?.[0]);
    },
    close: () => session.close(),
  };
}
