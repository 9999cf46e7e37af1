import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openStore } from '../../src/store/file/open-file.ts';
import { addMailing } from '../../src/store/mail/mailings.ts';
import { folder } from '../support/helpers.ts';
import { type Program, program } from '../support/program.ts';
import {
  fileOf,
  fresh,
  knownOf,
  LATER,
  look,
  NEWEST,
  placeOf,
  type Release,
  releaseOf,
  saysOf,
  schemaOf,
  settledRows,
  VERSIONS,
  versionOf,
} from './released.ts';

/** Gives what the server logged. */
async function assertAnswers({ serve }: Program, { token, answers }: Release): Promise<string> {
  const { url, stop, stderr } = await serve(['--base-url', 'https://stats.example.com', '--keep-backups', '0']);
  for (const [path, expected] of Object.entries(answers)) {
    const headers = { authorization: `Bearer ${token}` };
    const answer = (await (await fetch(`${url}/api/v1${path}`, { headers })).json()) as { data: unknown };
    assert.deepEqual(knownOf(answer.data, expected), expected, path);
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
    assert.deepEqual(tokens.map(used), old.map(used));
    // In 2036 the open invitation has expired, and is deleted.
    const lasting = (all: unknown[]) => all.filter((_, table) => table !== 3 && table !== 5);
    assert.deepEqual(lasting(settledRows(path)), lasting(rows));

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

test('the mails that were sent before there was a monthly one are kept, with who got them', (t) => {
  const path = join(folder(t), 'six.db');
  writeFileSync(path, fileOf(6));
  const file = new Database(path);
  file.exec(`INSERT INTO mailing (site_id, kind, at, created_at, ended_at) VALUES (1, 'silence', 10, 11, 12), (1, 'weekly', 20, 21, NULL);
    INSERT INTO mailed (mailing_id, user_id, taken, sent_at) VALUES (2, 1, 1, 22);
    DELETE FROM mailing WHERE id = 1`);
  file.close();
  const sent = () => ['mailing', 'mailed'].map((table) => look(path, `SELECT * FROM ${table}`));
  const before = sent();
  const { db, close } = openStore(path);
  assert.deepEqual(sent(), before);
  assert.equal(db.one<{ n: number }>('SELECT count(*) AS n FROM mailed')?.n, 1);
  const add = (kind: string) => db.write(() => addMailing(db, { siteId: 1, kind, at: 30, now: 30 }));
  add('monthly');
  // Ids are never used again, and who deletes a mailing deletes whom it went to.
  assert.equal(db.one<{ id: number }>("SELECT id FROM mailing WHERE kind = 'monthly'")?.id, 3);
  db.write(() => db.run('DELETE FROM mailing WHERE id = 2'));
  assert.deepEqual(db.all('SELECT * FROM mailed'), []);
  close();
});
