import { readdirSync, readFileSync } from 'node:fs';

/** Put in by build.mjs, so that the bundle is one file; run from source, the files themselves are read. */
declare const SCHEMA_SQL: string | undefined;
declare const MIGRATIONS_SQL: string[] | undefined;

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

export const schema = typeof SCHEMA_SQL === 'string' ? SCHEMA_SQL : read('schema.sql');

/** The first leads from version 1 to 2, and so on. */
export const migrations =
  typeof MIGRATIONS_SQL === 'object'
    ? MIGRATIONS_SQL
    : readdirSync(new URL('../../migrations', import.meta.url)).map((_, i) => read(`migrations/${i + 2}.sql`));
