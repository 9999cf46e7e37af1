import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { begin, hereOn } from '../cli/here.ts';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { folder, ON_CLUSTER, share } from '../support/helpers.ts';
import { stage } from './stage.ts';

const DAY = TODAY - 6;

/** Four sealed days with receipts, and visits that are excluded. The first day has only sums. */
async function signed(t: TestContext) {
  const all = await stage(t);
  const { app, site, siteId, make, domain } = all;
  const one = (day: number, visitor: number, page: string, more: Partial<Hit> = {}) =>
    pageview({ day, visitor, page, country: visitor % 2 ? 'DE' : 'FR', properties: '{"plan":"pro"}', ...more });
  const odd = { event: '=buy', label: '"a",\n‘b’', revenue: 'EUR 1950', second: 60 };
  for (const n of [0, 1, 2, 3])
    await site.store([
      ...['/a', '/b', '/c'].flatMap((page, i) => [one(DAY + n, i, page), one(DAY + n, i + n, '/d', { second: 30 })]),
      ...[one(DAY + n, 1, '/a', odd), pageview({ day: DAY + n, visitor: 1, page: '/a', second: 90, engaged: 10 })],
    ]);
  await app.seal();
  await make();
  await site.exclude(DAY + 2, DAY + 3, { 'filters[country]': 'DE' });
  app.db.run('UPDATE site SET keep_days = 5 WHERE id = ?', siteId);
  await app.seal();
  await make();
  const reasons = all.read().map(({ reason }) => reason);
  for (const reason of ['retention', 'exclusion'] as const) assert.ok(reasons.includes(reason));
  const to = folder(t);
  const receipts = join(to, 'receipts.json');
  await hereOn(app, 'receipts', 'export', domain, '--out', receipts);
  const save = async (format: string): Promise<string> => {
    const path = join(to, `hits${randomInt(1e9)}.${format}`);
    await hereOn(app, 'export', domain, '--format', format, '--out', path);
    return path;
  };
  return { ...all, receipts, save };
}

type Signed = Awaited<ReturnType<typeof signed>>;

/** Runs a command that may fail. Returns what it printed. */
async function say({ app }: Signed, ...words: string[]): Promise<string[]> {
  const { done, printed } = begin(app, ...words);
  await done.catch((error: Error) => assert.match(error.message, /the days above are damaged|some checks failed/));
  return printed;
}

function flip(bytes: Buffer, { from = 0, to = bytes.length } = {}): { data: Buffer; at: number } {
  const data = Buffer.from(bytes);
  const at = randomInt(from, to);
  data[at] = (data[at] as number) ^ (1 << randomInt(8));
  return { data, at };
}

const isNamed = (lines: readonly string[], domain: string, day: number): boolean =>
  lines.some((line) => line.startsWith(`${domain} ${date(day)}: `));

type Blob = { id: number; name: string; data: Buffer; day: number };

test('damage: a flipped bit of a column or sum is named with its day by check, even with a right checksum', {
  skip: ON_CLUSTER,
}, async (t) => {
  const all = await signed(t);
  const { app, domain, save } = all;
  await hereOn(app, 'check');
  const whole = readFileSync(await save('ndjson'), 'utf8');
  for (let n = 0; n < share(160); n++) {
    const table = n % 2 === 0 ? 'sealed_blob' : 'rollup';
    const blobs = app.db.all<Blob>(
      `SELECT b.sealed_day_id AS id, b.name, b.data, d.day FROM ${table} b JOIN sealed_day d ON d.id = b.sealed_day_id`,
    );
    const blob = blobs[randomInt(blobs.length)] as Blob;
    const { data, at } = flip(blob.data);
    const put = (bytes: Buffer) => {
      const crc = crc32(table === 'rollup' ? blob.data : bytes);
      const sql = `UPDATE ${table} SET data = ?, crc = ? WHERE sealed_day_id = ? AND name = ?`;
      app.db.run(sql, bytes, crc, blob.id, blob.name);
    };
    put(data);
    const said = await say(all, 'check');
    const what = `${table} ${blob.name} byte ${at} of ${date(blob.day)}: ${said.join('; ')}`;
    // The last bits of a packed column may belong to no value. A change there changes nothing.
    if (said.length === 1 && table === 'sealed_blob') assert.equal(readFileSync(await save('ndjson'), 'utf8'), whole);
    else assert.ok(isNamed(said, domain, blob.day), what);
    put(blob.data);
  }
  await hereOn(app, 'check');
});

test('damage: sums that were changed with their copies are named by their receipt only, and doctor names the day', {
  skip: ON_CLUSTER,
}, async (t) => {
  const all = await signed(t);
  const { app, siteId, domain } = all;
  app.db.run(
    'UPDATE sealed_day SET import_id = NULL, visitors = visitors + 1 WHERE site_id = ? AND day = ?',
    siteId,
    DAY,
  );
  assert.ok(isNamed(await say(all, 'check'), domain, DAY));
  const { done, printed } = begin(app, 'doctor');
  await done.catch(() => {});
  assert.match(printed.join('\n'), new RegExp(`${domain} ${date(DAY)}: .*differ`));
});

test('damage: a flipped bit of a stored receipt is named with its day by check', { skip: ON_CLUSTER }, async (t) => {
  const all = await signed(t);
  const { app, domain } = all;
  // A disk does not ask whether a body is JSON.
  app.db.run('PRAGMA ignore_check_constraints = ON');
  const rows = app.db.all<{ sequence: number; day: number; body: string }>('SELECT sequence, day, body FROM receipt');
  for (let n = 0; n < share(160); n++) {
    const { sequence, day, body } = rows[randomInt(rows.length)] as (typeof rows)[number];
    const { data, at } = flip(Buffer.from(body));
    const put = (bytes: Buffer) =>
      app.db.run('UPDATE receipt SET body = CAST(? AS TEXT) WHERE sequence = ?', bytes, sequence);
    put(data);
    const said = await say(all, 'check');
    assert.ok(isNamed(said, domain, day), `byte ${at} of receipt ${sequence}, ${date(day)}: ${said.join('; ')}`);
    put(Buffer.from(body));
  }
  await hereOn(app, 'check');
});

test('damage: a flipped bit of a saved receipt is named with its day by verify', async (t) => {
  const all = await signed(t);
  const { receipts, read } = all;
  const whole = readFileSync(receipts);
  const chain = read();
  for (let n = 0; n < share(800); n++) {
    const receipt = chain[randomInt(chain.length)] as (typeof chain)[number];
    const body = JSON.stringify(receipt);
    const from = whole.indexOf(body);
    assert.ok(from > 0);
    const { data, at } = flip(whole, { from, to: from + Buffer.byteLength(body) });
    writeFileSync(receipts, data);
    const said = await say(all, 'verify', receipts);
    const isFound = said.some((line) => line.includes('FAILS') && line.includes(receipt.date));
    assert.ok(isFound, `byte ${at - from} of ${body}: ${data.subarray(at - 20, at + 20)}: ${said.join('; ')}`);
  }
});

test('damage: a flipped bit of a hit in an export is named with its day by verify', async (t) => {
  const all = await signed(t);
  const { receipts, save } = all;
  for (const format of ['ndjson', 'csv']) {
    const path = await save(format);
    const whole = readFileSync(path);
    // The head of a CSV belongs to no day.
    const head = format === 'csv' ? whole.indexOf('\n') + 1 : 0;
    for (let n = 0; n < share(800); n++) {
      const { data, at } = flip(whole, { from: head });
      writeFileSync(path, data);
      // A label may have a line end, but each hit begins with its time.
      const begin = whole.subarray(0, at + 1).lastIndexOf(format === 'csv' ? '\n2' : '\n{') + 1;
      const [, day = ''] = /(\d{4}-\d\d-\d\d)-\d+[",]/.exec(whole.toString('utf8', begin)) ?? [];
      const said = await say(all, 'verify', receipts, '--export', path);
      const around = data.subarray(at - 20, at + 20);
      assert.ok(
        said.some((line) => line.startsWith(`${day} FAILS: `)),
        `${format} byte ${at}, ${day}, ${around}: ${said.join('; ')}`,
      );
    }
  }
});
