/**
 * DuckDB reads Parquet files. It is a package of its own, 70 MB, which `npm ci` at the top does not fetch, and CI does:
 *
 *     npm ci --ignore-scripts --prefix test/exchange/duckdb
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../duckdb');
const IS_FETCHED = existsSync(join(FOLDER, 'node_modules/@duckdb/node-api'));

/** Why tests with DuckDB are skipped, or false. */
export const WITHOUT_DUCKDB =
  !IS_FETCHED && 'DuckDB is not fetched: npm ci --ignore-scripts --prefix test/exchange/duckdb';

type Reader = { getRowObjectsJson(): Record<string, unknown>[] };
type Package = {
  DuckDBInstance: {
    create(path: string): Promise<{ connect(): Promise<{ runAndReadAll(sql: string): Promise<Reader> }> }>;
  };
};

/** Asks in SQL. Rows have numbers of 64 bits, dates and decimals as texts. */
export async function askDuckDb(sql: string): Promise<Record<string, unknown>[]> {
  const { DuckDBInstance } = createRequire(join(FOLDER, 'package.json'))('@duckdb/node-api') as Package;
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.runAndReadAll("SET TimeZone = 'UTC'");
  return (await connection.runAndReadAll(sql)).getRowObjectsJson();
}
