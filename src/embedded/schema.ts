import { readFileSync } from 'node:fs';

/** Put in by build.mjs, so that the bundle is one file; run from source, the files themselves are read. */
declare const SCHEMA_SQL: string | undefined;

export const schema =
  typeof SCHEMA_SQL === 'string' ? SCHEMA_SQL : readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8');
