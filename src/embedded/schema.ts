import { readFileSync } from 'node:fs';

/**
 * The build puts schema.sql here. Otherwise, the program would need more than one file. If the program runs from
 * source, the file is read.
 */
declare const SCHEMA_SQL: string | undefined;

export const schema =
  typeof SCHEMA_SQL === 'string' ? SCHEMA_SQL : readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8');
