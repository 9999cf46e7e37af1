import assert from 'node:assert/strict';
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { RELEASED } from '../../src/store/migrations.ts';
import { openStore } from '../../src/store/open.ts';
import { folder } from '../helpers.ts';
import { kill } from '../kill.ts';
import { daybookFrom, type Program, program } from '../program.ts';

const NEWEST = RELEASED.length + 1;
const VERSIONS = Array.from({ length: NEWEST }, (_, i) => i + 1);
const KILLS = 3;
/** When all days of all files are over. */
const LATER = daybookFrom(Date.parse('2036-01-01T12:00:00Z'));

/** A file as a program of its time wrote it, with what that said about it; releases/make.ts made it. */
type Release = { token: string; answers: Record<string, unknown> };

/** Version 2 was never written as a number. */
const saysOf = (version: number): number => (version === 2 ? 1 : version);

const placeOf = (name: string): URL => new URL(`releases/${name}`, import.meta.url);
const fileOf = (version: number): Buffer => gunzipSync(readFileSync(placeOf(`${version}.db.gz`)));
const releaseOf = (version: number): Release => JSON.parse(readFileSync(placeOf(`${version}.json`), 'utf8'));

function look<Row>(path: string, sql: string): Row[] {
  const file = new Database(path, { fileMustExist: true });
  try {
    return file.prepare<[], Row>(sql).all();
  } finally {
    file.close();
  }
}

const versionOf = (path: string): number =>
  look<{ user_version: number }>(path, 'PRAGMA user_version')[0]?.user_version ?? 0;

/** What is in a file besides rows, however it is laid out in text. */
const schemaOf = (path: string): string[] =>
  look<{ sql: string }>(path, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    .map(({ sql }) => sql.replaceAll(/--.*|\s+/g, ''))
    .sort();

/** What people typed in, which every version keeps. */
const settledRows = (path: string): unknown[] =>
  ['user', 'account', 'plan', 'token', 'member', 'invitation', 'goal', 'funnel', 'funnel_step', 'note'].map((table) =>
    look(path, `SELECT * FROM ${table} ORDER BY 1, 2`),
  );

const hasHits = (path: string): boolean => look(path, "SELECT 1 FROM sqlite_schema WHERE name = 'hit'").length > 0;

const hitsOf = (path: string): unknown[] =>
  hasHits(path) ? look(path, 'SELECT count(*) AS hits, sum(id * 7 + page) AS sum FROM hit') : [];

/** So many hits that bringing them up to date takes a while. */
function grow(path: string): void {
  const file = new Database(path);
  const columns = file.prepare("SELECT name FROM pragma_table_info('hit') WHERE name <> 'id'").pluck().all().join(', ');
  file.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO hit (${columns}) SELECT ${columns} FROM hit, n`);
  file.close();
}

function fresh(t: TestContext): string {
  const path = join(realpathSync(folder(t)), 'fresh.db');
  openStore(path).close();
  return path;
}

/** Gives what the server logged. */
async function assertAnswers({ serve }: Program, { token, answers }: Release): Promise<string> {
  const { url, stop, stderr } = await serve(['--base-url', 'https://stats.example.com', '--keep-backups', '0']);
  for (const [path, expected] of Object.entries(answers)) {
    const headers = { authorization: `Bearer ${token}` };
    const answer = (await (await fetch(`${url}/api/v1${path}`, { headers })).json()) as { data: unknown };
    assert.deepEqual(answer.data, expected, path);
  }
  assert.equal(await stop(), 0);
  return stderr.join('\n');
}

test('there is a file of every version, and the newest has the schema of today', (t) => {
  const names = readdirSync(placeOf('.')).filter((name) => name.endsWith('.db.gz'));
  assert.deepEqual(names.sort(), VERSIONS.map((version) => `${version}.db.gz`).sort());
  const path = join(folder(t), 'newest.db');
  writeFileSync(path, fileOf(NEWEST));
  // Where this fails, schema.sql was changed: write the way there into migrations/, and make the next file.
  assert.deepEqual(schemaOf(path), schemaOf(fresh(t)));
});

for (const version of VERSIONS) {
  test(`a file of version ${version} opens, is brought up to date and answers as it did`, async (t) => {
    const daybook = program(t, { command: [process.execPath, ...LATER] });
    const path = daybook.db;
    writeFileSync(path, fileOf(version));
    const rows = settledRows(path);
    const log = await assertAnswers(daybook, releaseOf(version));
    assert.equal(
      new RegExp(`copying and updating it","from":${saysOf(version)},"to":${NEWEST}}`).test(log),
      version < NEWEST,
    );

    assert.equal(versionOf(path), NEWEST);
    assert.deepEqual(schemaOf(path), schemaOf(fresh(t)));
    assert.deepEqual(look(path, 'PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
    assert.deepEqual(look(path, 'PRAGMA foreign_key_check'), []);
    assert.match(await daybook.print(['check']), /./);
    const used = (row: object) => ({ ...row, last_used_at: null });
    const [tokens, old] = [settledRows(path)[3], rows[3]] as [object[], object[]];
    assert.deepEqual([tokens.map(used), settledRows(path).toSpliced(3, 1)], [old.map(used), rows.toSpliced(3, 1)]);

    const copies = readdirSync(daybook.folder).filter((name) => name.includes('before'));
    assert.deepEqual(copies, version === NEWEST ? [] : [`daybook.db.before-v${saysOf(version) + 1}`]);
    for (const name of copies) {
      const copy = join(daybook.folder, name);
      assert.equal(versionOf(copy), saysOf(version));
      assert.deepEqual(settledRows(copy), rows);
      assert.deepEqual(look(copy, 'PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
      const tables = look<{ name: string }>(copy, "SELECT name FROM sqlite_schema WHERE name = 'salt'");
      if (tables.length > 0) assert.deepEqual(look(copy, 'SELECT * FROM salt'), []);
    }
  });
}

for (const version of VERSIONS.slice(0, -1)) {
  test(`a kill while a file of version ${version} is brought up to date leaves it old or new`, async (t) => {
    const template = join(realpathSync(folder(t)), 'daybook.db');
    writeFileSync(template, fileOf(version));
    if (hasHits(template)) grow(template);
    const [rows, hits] = [settledRows(template), hitsOf(template)];
    await kill(t, {
      template,
      rounds: KILLS,
      // Not seal, which would go on to take the hits out of their table.
      argsOf: (path) => [...LATER, 'check', '--db', path],
      look(path, ended) {
        const found = versionOf(path);
        if (ended) assert.equal(found, NEWEST);
        assert.deepEqual(look(path, 'PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
        assert.deepEqual(settledRows(path), rows);
        if (hits.length > 0) assert.deepEqual(hitsOf(path), hits);
        openStore(path).close();
        assert.equal(versionOf(path), NEWEST);
        assert.deepEqual(schemaOf(path), schemaOf(fresh(t)));
        assert.deepEqual(settledRows(path), rows);
        if (hits.length > 0) assert.deepEqual(hitsOf(path), hits);
        return found < NEWEST;
      },
    });
  });
}
