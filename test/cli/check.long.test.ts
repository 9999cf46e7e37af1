import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { crc32 } from 'node:zlib';
import type { StoredBlob } from '../../src/ledger/column/blobs.ts';
import { COLUMNS } from '../../src/ledger/column/column.ts';
import { packQuarterSums, QUARTER_SUMS } from '../../src/ledger/count/quarter-hour-sums.ts';
import { packQuarters, QUARTER } from '../../src/ledger/count/quarter-hours.ts';
import { TOTALS } from '../../src/stats/aggregates.ts';
import { STORED_BREAKDOWNS } from '../../src/stats/dimensions.ts';
import type { Db } from '../../src/store/db.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { addUser } from '../../src/store/people/users.ts';
import { addSite } from '../../src/store/sites/sites.ts';
import { append, pageview, TODAY } from '../collect/stage.ts';
import { sealOnce } from '../ledger/stage.ts';
import { commandLine } from './here.ts';

const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** Flips one bit of what is kept under a name, in the middle of it. */
function flip(db: Db, table: 'sealed_blob' | 'rollup', name: string, id: number): void {
  const where = 'sealed_day_id = ? AND name = ?';
  const row = db.one<{ data: Buffer }>(`SELECT data FROM ${table} WHERE ${where}`, id, name);
  assert.ok(row && row.data.length > 0, `${table} ${name} holds something`);
  const data = Buffer.from(row.data);
  const at = data.length >> 1;
  data[at] = (data[at] ?? 0) ^ 4;
  db.run(`UPDATE ${table} SET data = ? WHERE ${where}`, data, id, name);
}

type Damage = { what: string; plant(db: Db, id: number, day: number): void };

const remove = (table: 'sealed_blob' | 'rollup', name: string): Damage => ({
  what: table === 'sealed_blob' ? `column ${name}: is missing` : `rollup ${name}: differs`,
  plant: (db, id) => void db.run(`DELETE FROM ${table} WHERE sealed_day_id = ? AND name = ?`, id, name),
});

/** Sound bytes that say something else than the columns of the day. */
const plantOther = (table: 'sealed_blob' | 'rollup', { name, data }: StoredBlob): Damage => ({
  what: `${table === 'sealed_blob' ? 'column' : table} ${name}: differs`,
  plant: (db, id) =>
    void db.run(
      `UPDATE ${table} SET data = ?, crc = ? WHERE sealed_day_id = ? AND name = ?`,
      Buffer.from(data),
      crc32(data),
      id,
      name,
    ),
});

/** Each is planted in a day of its own. */
const DAMAGES: Damage[] = [
  ...[...COLUMNS, QUARTER].map((name) => ({
    what: `column ${name}: its bytes changed`,
    plant: (db: Db, id: number) => flip(db, 'sealed_blob', name, id),
  })),
  ...[...STORED_BREAKDOWNS, QUARTER_SUMS].map((name) => ({
    what: `rollup ${name}: its bytes changed`,
    plant: (db: Db, id: number) => flip(db, 'rollup', name, id),
  })),
  ...TOTALS.map((name) => ({
    what: `${name}: 1000 is stored`,
    plant: (db: Db, id: number) => void db.run(`UPDATE sealed_day SET ${name} = 1000 WHERE id = ?`, id),
  })),
  ...COLUMNS.map((name) => remove('sealed_blob', name)),
  ...STORED_BREAKDOWNS.map((name) => remove('rollup', name)),
  plantOther('sealed_blob', packQuarters(new Uint32Array(12))),
  plantOther('sealed_blob', packQuarters(new Uint32Array(13))),
  plantOther('sealed_blob', { name: QUARTER, data: Buffer.from('no quarters') }),
  plantOther('rollup', packQuarterSums({ quarters: Uint8Array.of(70), counts: new Uint8Array(6), last: 5_400 })),
  {
    what: 'column page: its bytes changed',
    plant: (db, id) =>
      void db.run("UPDATE sealed_blob SET crc = crc + 1 WHERE sealed_day_id = ? AND name = 'page'", id),
  },
  {
    what: 'column page: the text of term',
    plant: (db, _, day) => void db.run('DELETE FROM term WHERE text = ?', `/only/${day}`),
  },
  {
    // Sound in itself, but what belongs to another day.
    what: 'rollup pages: differs',
    plant: (db, id) =>
      void db.run(
        `UPDATE rollup SET (data, crc) = (SELECT data, crc FROM rollup WHERE sealed_day_id = ? AND name = 'pages')
         WHERE sealed_day_id = ? AND name = 'pages'`,
        id - 1,
        id,
      ),
  },
];

/** A file with two sites, each with a sealed day for each damage. */
async function sealedFile(t: TestContext) {
  const daybook = commandLine(t);
  const { db, close } = openStore(daybook.db);
  db.run('PRAGMA synchronous = OFF');
  db.write(() => {
    const { accountId } = addUser(db, { email: 'ann@example.com', password: null, now: 0 });
    for (const domain of ['one.example', 'two.example']) addSite(db, { accountId, domain, now: 0 });
  });
  const days = DAMAGES.map((_, n) => TODAY - 1 - n);
  for (const siteId of [1, 2]) {
    for (const day of days) {
      const all = {
        siteId,
        day,
        utm_source: 'a',
        utm_medium: 'b',
        utm_campaign: 'c',
        country: 'DE',
        device: 'Desktop',
      };
      await append(
        db,
        Array.from({ length: 12 }, (_, i) =>
          pageview({
            ...all,
            visitor: i % 5,
            second: i * 700,
            page: i === 4 ? `/only/${day}` : `/${i % 4}`,
            event: i % 3 === 0 ? 'e' : '',
            label: i % 3 === 0 ? `l${i}` : '',
            source: `s${i % 3}.org`,
            browser: `b${i % 2}`,
            os: `o${i % 2}`,
          }),
        ),
      );
      assert.ok(sealOnce(db, { siteId, day }));
    }
  }
  return { daybook, db, close, days };
}

test('check finds nothing in a sound file, and each damage by domain, day and what it is', async (t) => {
  const { daybook, db, close, days } = await sealedFile(t);
  assert.deepEqual(await daybook.run(['check']), {
    code: 0,
    stdout: `${days.length * 2} days verified, 0 differ\n`,
    stderr: '',
  });

  for (const [n, { plant }] of DAMAGES.entries()) {
    const day = days[n] ?? 0;
    const { id } = db.one<{ id: number }>('SELECT id FROM sealed_day WHERE site_id = 1 AND day = ?', day) ?? { id: 0 };
    plant(db, id, day);
  }
  // The text is missing in the other site too.
  const other = dateOf(days[DAMAGES.findIndex(({ what }) => what.includes('the text of term'))] ?? 0);
  const { code, stdout, stderr } = await daybook.run(['check']);
  const lines = stdout.trimEnd().split('\n');
  assert.equal(code, 1);
  assert.match(stderr, /^daybook: the days above are damaged\. [^\n]+\n$/);
  const last = lines.pop();
  for (const [n, { what }] of DAMAGES.entries()) {
    const day = dateOf(days[n] ?? 0);
    const found = lines.filter((line) => line.startsWith(`one.example ${day}: `));
    assert.ok(
      found.some((line) => line.startsWith(`one.example ${day}: ${what}`)),
      `${what} of ${day} is told: ${found.join('; ')}`,
    );
  }
  assert.equal(last, `${days.length * 2} days verified, ${days.length + 1} differ`);
  const others = lines.filter((line) => line.startsWith('two.example'));
  assert.ok(others.length > 0 && others.every((line) => line.startsWith(`two.example ${other}: column `)), others[0]);
  close();
});

test('check of a file without sealed days finds nothing', async (t) => {
  const daybook = commandLine(t);
  openStore(daybook.db).close();
  assert.equal(await daybook.print(['check']), '0 days verified, 0 differ');
});

test('check of a file that is not there is an error, and makes none', async (t) => {
  const { code, stdout, stderr } = await commandLine(t).run(['check', '--db', 'other.db']);
  assert.deepEqual([code, stdout], [78, '']);
  assert.match(stderr, /there is no such file/);
});
