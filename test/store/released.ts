import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { RELEASED } from '../../src/store/file/migrations.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { folder } from '../support/helpers.ts';
import { daybookFrom } from '../support/program.ts';

export const NEWEST = RELEASED.length + 1;
export const VERSIONS = Array.from({ length: NEWEST }, (_, i) => i + 1);

/** The program when all days of all files are over. */
export const LATER = daybookFrom(Date.parse('2036-01-01T12:00:00Z'));

/** A file as a program of its time wrote it, with what that said about it; releases/make.ts made it. */
export type Release = { token: string; answers: Record<string, unknown> };

/** Version 2 was never written as a number. */
export const saysOf = (version: number): number => (version === 2 ? 1 : version);

export const placeOf = (name: string): URL => new URL(`releases/${name}`, import.meta.url);
export const fileOf = (version: number): Buffer => gunzipSync(readFileSync(placeOf(`${version}.db.gz`)));
export const releaseOf = (version: number): Release => JSON.parse(readFileSync(placeOf(`${version}.json`), 'utf8'));

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object';

/** An answer without the fields that another has not: later programs may add some, and take none away. */
export function knownOf(answer: unknown, other: unknown): unknown {
  if (Array.isArray(answer) && Array.isArray(other)) return answer.map((one, i) => knownOf(one, other[i]));
  if (!isObject(answer) || !isObject(other)) return answer;
  const known = Object.entries(answer).filter(([name]) => Object.hasOwn(other, name));
  return Object.fromEntries(known.map(([name, value]) => [name, knownOf(value, other[name])]));
}

export function look<Row>(path: string, sql: string): Row[] {
  const file = new Database(path, { fileMustExist: true });
  try {
    return file.prepare<[], Row>(sql).all();
  } finally {
    file.close();
  }
}

export const versionOf = (path: string): number =>
  look<{ user_version: number }>(path, 'PRAGMA user_version')[0]?.user_version ?? 0;

/** What is in a file besides rows, however it is laid out in text. */
export const schemaOf = (path: string): string[] =>
  look<{ sql: string }>(path, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    .map(({ sql }) => sql.replaceAll(/--.*|\s+/g, ''))
    .sort();

const SETTLED = [
  'SELECT id, email, password, created_at FROM user',
  'SELECT * FROM account',
  // `guest` is built in since version 5.
  "SELECT * FROM plan WHERE name <> 'guest'",
  'SELECT * FROM token',
  'SELECT * FROM member',
  'SELECT member_id, hash, expires_at FROM invitation',
  ...['goal', 'funnel', 'funnel_step', 'note'].map((table) => `SELECT * FROM ${table}`),
];

/** What people typed in, which every version keeps. */
export const settledRows = (path: string): unknown[] => SETTLED.map((sql) => look(path, `${sql} ORDER BY 1, 2`));

export function fresh(t: TestContext): string {
  const path = join(realpathSync(folder(t)), 'fresh.db');
  openStore(path).close();
  return path;
}
