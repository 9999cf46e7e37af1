import { Session } from 'chdb';
import { type Engine, THREADS } from './engine.ts';
import type { Row } from './result.ts';
import { type Dialect, hits, quoted, reaches, reachesAny, where } from './sql.ts';
import { TABLES, typeOf } from './tables.ts';

const FORMAT = 'JSONCompactEachRow';

/** Numbers that count up are stored as differences, which takes less space. */
const codecOf = (column: string): string => (/^(?:id|visit|visitor)$/.test(column) ? ' CODEC(Delta, LZ4)' : '');

const dialect: Dialect = {
  // Visitors and visits are numbers that count up. For such numbers, groupBitmap is up to twice as fast as uniqExact.
  distinct: (column) => `groupBitmap(${column})`,
  hour: 'intDiv(second, 3600)',
  distinctBy: (key, from) => `SELECT ${key} AS value, groupBitmap(visitor) AS visitors FROM ${from} GROUP BY value`,
  // The ids of hits ascend with time, and no two are equal. So comparing ids is enough to compare times.
  steps(targets, chosen) {
    const counts = targets.map((_, i) => `countIf(level > ${i})`);
    return `SELECT ${counts.join(', ')} FROM (SELECT windowFunnel(4294967295)(id, ${targets.map(reaches).join(', ')}) AS level
      FROM ${hits(chosen, [reachesAny(targets)])} GROUP BY visitor)`;
  },
  // One pass over the hits. Here this is faster than a set of visits for each condition.
  viewsBy({ shared, some, page }) {
    const every = some.map((condition) => `countIf(${condition}) > 0`).join(' AND ');
    return `SELECT visit, countIf(${page} AND event = '') AS views
      FROM hit ${where([...shared, `(${some.join(' OR ')})`])} GROUP BY visit HAVING ${every}`;
  },
};

/** Runs ClickHouse in this process, with its data in a folder. */
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
