import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openStore } from '../src/store/file/open-file.ts';
import { append, pageview, TODAY } from '../test/collect/stage.ts';
import { furnish } from '../test/support/furnish.ts';
import { folder } from '../test/support/helpers.ts';
import { chance } from '../test/support/random.ts';
import { isWhole, removeFile } from './furnish.ts';
import { scaled } from './scale.ts';

const TEARS = scaled(150, 2_000);
const TRANSACTIONS = 60;
const SECTOR = 512;

/** Numbered hits, several to a transaction, as the server writes them; how long the WAL was after each transaction. */
async function written(t: TestContext, path: string): Promise<{ counts: number[]; sizes: number[] }> {
  const { db, close } = openStore(path);
  t.after(close);
  let hits = 0;
  const add = async (count: number) => {
    const from = hits;
    hits += count;
    await append(
      db,
      Array.from({ length: count }, (_, i) => pageview({ day: TODAY, page: `/${from + i}` })),
    );
  };
  db.run('PRAGMA wal_autocheckpoint = 0');
  // What lies in the WAL from an earlier round of it, and must never be taken for new.
  for (let n = 0; n < TRANSACTIONS * 2; n++) await add(20);
  db.all('PRAGMA wal_checkpoint(RESTART)');
  const before = statSync(`${path}-wal`).size;
  const [counts, sizes] = [[hits], [0]];
  for (let n = 1; n <= TRANSACTIONS; n++) {
    await add(1 + (n % 7));
    counts.push(hits);
  }
  // The WAL is written over from its beginning, so that its size says nothing: its frames do.
  const wal = readFileSync(`${path}-wal`);
  assert.equal(wal.length, before);
  const frame = 24 + wal.readUInt32BE(8);
  const salts = wal.subarray(16, 24);
  for (let at = 32; at < wal.length && wal.subarray(at + 8, at + 16).equals(salts); at += frame) {
    if (wal.readUInt32BE(at + 4) !== 0) sizes.push(at + frame);
  }
  assert.equal(sizes.length, counts.length);
  return { counts, sizes };
}

test(`D3 whatever a power cut makes of the WAL, whole transactions are there and all before the tear`, async (t) => {
  const random = chance(t);
  const place = folder(t);
  const path = join(place, 'daybook.db');
  await furnish(path, ['example.com']);
  const { counts, sizes } = await written(t, path);
  // In memory where that is possible: what is looked at is what SQLite makes of the bytes.
  const memory = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/daybook-') : place;
  t.after(() => rmSync(memory, { recursive: true, force: true }));
  const torn = join(memory, 'torn.db');
  const wal = readFileSync(`${path}-wal`);
  const end = sizes.at(-1) ?? 0;
  const figures = { kept: 0, lost: 0, transactions: TRANSACTIONS };

  for (let n = 0; n < 2 * TEARS; n++) {
    const bytes = Buffer.from(wal);
    const isCut = n < TEARS;
    // Flips are of sectors, which is what a disk writes or does not.
    const at = isCut ? Math.floor(random() * end) : Math.floor((random() * end) / SECTOR) * SECTOR;
    if (!isCut) for (const [i, byte] of randomBytes(SECTOR).entries()) bytes[at + i] = byte;
    copyFileSync(path, torn);
    writeFileSync(`${torn}-wal`, isCut ? bytes.subarray(0, at) : bytes);
    const { db, close } = openStore(torn);
    const about = `${isCut ? 'cut off' : 'overwritten'} at ${at}`;
    assert.ok(isWhole(db), about);
    const { hits = 0 } = db.one<{ hits: number }>('SELECT count(*) AS hits FROM hit') ?? {};
    const reached = counts.indexOf(hits);
    assert.ok(reached >= 0, `${about}: ${hits} hits are no whole number of transactions`);
    const complete = sizes.findLastIndex((size) => size <= at);
    assert.ok(reached >= complete, `${about}: ${reached} of ${complete} transactions`);
    const last = db.one('SELECT t.text AS page FROM hit h JOIN term t ON t.id = h.page ORDER BY h.id DESC LIMIT 1');
    assert.deepEqual(last, { page: `/${hits - 1}` }, about);
    assert.deepEqual(db.one('SELECT events FROM usage'), { events: hits }, about);
    close();
    figures.kept += reached;
    figures.lost += TRANSACTIONS - reached;
    removeFile(torn);
  }
  t.diagnostic(`${TEARS} times cut off, ${TEARS} times overwritten: ${JSON.stringify(figures)}`);
});
