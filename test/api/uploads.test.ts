import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { freeBytes, MIN_FREE_BYTES } from '../../src/lib/disk.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { openSite } from '../stats/stage.ts';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';
import { BYTES, codeOf, countVisitors, FILE, listFiles, uploading } from './uploading.ts';

test('a file is uploaded in pieces, read, shown as a sheet, and imported once it is confirmed', async (t) => {
  const app = await startApp(t);
  const { known } = await openSite(app);
  const up = uploading(app, known.domain);
  const bytes = Buffer.byteLength(FILE);
  const begun = await up.begin({ name: 'hits.ndjson', bytes });
  const { id } = dataOf(begun, 'POST', '/sites/x/uploads');
  assert.deepEqual([begun.body.data.state, begun.body.data.received], ['receiving', 0]);
  assert.equal((await up.piece(id, 0, FILE.slice(0, 100))).body.data.received, 100);
  // A piece that was sent twice, because its answer was lost, names where to continue.
  const again = await up.piece(id, 0, FILE.slice(0, 100));
  assert.deepEqual([again.status, again.body.error.field_codes.offset.values.received], [422, 100]);
  assert.equal((await up.piece(id, 100, FILE.slice(100))).body.data.state, 'reading');

  const { file, state, read_rows: rows } = await up.wait(id, 'ready');
  assert.deepEqual([state, rows], ['ready', 7]);
  assert.deepEqual(
    [file.format, file.days, file.from, file.to, file.taken_days],
    ['ndjson', 2, date(TODAY - 3), date(TODAY - 2), 0],
  );
  assert.deepEqual(file.sheet, [
    '7 records read: 7 accepted, 0 skipped',
    `accepted: 7 pageviews, ${date(TODAY - 3)} to ${date(TODAY - 2)}`,
  ]);
  assert.equal(file.sheet_codes[0].code, 'sheet_read');
  assert.equal(await countVisitors(app, known.domain), 0, 'nothing is shown before it is confirmed');

  assert.equal((await up.confirm(id)).body.data.state, 'writing');
  const done = await up.wait(id);
  assert.deepEqual([done.state, done.error], ['done', null]);
  assert.equal(await countVisitors(app, known.domain), 7);
  assert.deepEqual(listFiles(app), []);

  const [one] = dataOf(await app.owner.ask('GET', `/sites/${known.domain}/imports`), 'GET', '/sites/x/imports');
  assert.deepEqual(
    [one.id, one.hits, one.days, one.from, one.to],
    [done.import_id, 7, 2, date(TODAY - 3), date(TODAY - 2)],
  );
  const [entry] = (await app.owner.ask('GET', '/account/log?limit=1')).body.data;
  assert.deepEqual([entry.action, entry.noun, entry.name, entry.site], ['add', 'imports', 'hits.ndjson', known.domain]);
  const { changes } = (await app.owner.ask('GET', `/sites/${known.domain}/changes`)).body.data;
  assert.equal(changes[0].reason, 'import_added');
  assert.equal(changes[0].by?.email, app.owner.email, 'the journal says who imported');

  const undone = await app.owner.ask('DELETE', `/sites/${known.domain}/imports/${one.id}`);
  assert.equal(undone.status, 204, undone.text);
  assert.equal(await countVisitors(app, known.domain), 0);
});

test('an upload that is cancelled at any step leaves no file and no import', async (t) => {
  const app = await startApp(t);
  const { known } = await openSite(app);
  const up = uploading(app, known.domain);
  const bytes = Buffer.byteLength(FILE);
  const steps: ((id: number) => Promise<unknown>)[] = [
    async () => {},
    (id) => up.piece(id, 0, FILE.slice(0, 10)),
    (id) => up.piece(id, 0, FILE),
    async (id) => {
      await up.piece(id, 0, FILE);
      await up.wait(id, 'ready');
    },
  ];
  for (const step of steps) {
    const { id } = (await up.begin({ name: 'hits.ndjson', bytes })).body.data;
    await step(id);
    assert.equal((await up.ask('DELETE', `/${id}`)).status, 204);
    assert.equal((await up.ask('DELETE', `/${id}`)).status, 404);
    assert.deepEqual(listFiles(app), []);
  }
  assert.deepEqual((await up.ask('GET', '')).body.data, []);
  assert.equal(await countVisitors(app, known.domain), 0);
});

test('hits of the site are replaced only by its owner, in person, and a manager is told which days are taken', async (t) => {
  const app = await startApp(t);
  const site = await openSite(app);
  const { domain } = site.known;
  await site.store([pageview({ day: TODAY - 2, visitor: 9 })]);
  await app.seal();
  const up = uploading(app, domain, { token: app.manager.token });
  const { id, file } = await up.send(FILE);
  assert.deepEqual([file.taken_days, file.taken], [1, [date(TODAY - 2)]]);
  assert.equal((await up.confirm(id)).body.error.field_codes.replace.code, 'days_taken');
  assert.equal(codeOf(await up.confirm(id, { replace: true })), 'role_forbidden');
  const cookie = await app.signIn(app.owner);
  app.clock.pass(600);
  const inPerson = uploading(app, domain, { cookie });
  assert.equal(codeOf(await inPerson.confirm(id, { replace: true })), 'reauthentication_required');
  assert.equal(await countVisitors(app, domain), 1);
  const owner = uploading(app, domain);
  assert.equal((await owner.confirm(id, { replace: true })).status, 200);
  assert.equal((await owner.wait(id)).state, 'done');
  assert.equal(await countVisitors(app, domain), 7);
});

test('an account has one upload at a time, and a page of another website begins none', async (t) => {
  const app = await startApp(t);
  const [one, other] = [await openSite(app), await openSite(app)];
  const up = uploading(app, one.known.domain);
  const { id } = (await up.begin({ name: 'a', bytes: 100 })).body.data;
  for (const { known } of [one, other]) {
    const refused = await uploading(app, known.domain).begin({ name: 'b', bytes: 100 });
    assert.deepEqual([refused.status, codeOf(refused)], [429, 'upload_runs']);
    // A manager of the other site may not know the first one.
    assert.ok(!refused.text.includes(one.known.domain));
  }
  assert.equal(
    (await uploading(app, other.known.domain).ask('DELETE', `/${id}`)).status,
    404,
    'it belongs to its site',
  );
  const cookie = await app.signIn(app.owner);
  const foreign = { cookie, headers: { ...BYTES, 'sec-fetch-site': 'cross-site' } };
  const sent = await app.ask('POST', `/api/v1/sites/${one.known.domain}/uploads/${id}/bytes?offset=0`, {
    ...foreign,
    body: 'x',
  });
  assert.deepEqual([sent.status, codeOf(sent)], [403, 'foreign_origin']);
  const wrongType = await up.ask('POST', `/${id}/bytes?offset=0`, {
    body: 'x',
    headers: { 'content-type': 'text/plain' },
  });
  assert.equal(wrongType.body.error.field_codes.body.code, 'no_bytes');
});

test('a piece has at most 1 MiB, and a file has the size that was promised, if the disk has room for it', async (t) => {
  const app = await startApp(t);
  const { known } = await openSite(app);
  const up = uploading(app, known.domain);
  const { field_codes: codes } = (await up.begin({ name: 'a', bytes: 1024 ** 4 })).body.error;
  assert.deepEqual(codes.bytes, { code: 'no_disk_room', values: {} }, 'it does not say how much room there is');
  for (const bytes of [0, 1.5, -1, 1024 ** 4 + 1, '5'])
    assert.equal((await up.begin({ name: 'a', bytes })).status, 422, `${bytes}`);
  for (const name of ['', 'a'.repeat(201), '\ud800', 5])
    assert.equal((await up.begin({ name, bytes: 5 })).status, 422, `${name}`);
  const { id } = (await up.begin({ name: 'a', bytes: 5 })).body.data;
  assert.equal((await up.piece(id, 0, 'x'.repeat(1024 * 1024 + 1))).status, 413);
  assert.equal((await up.piece(id, 0, '123456')).body.error.field_codes.body.code, 'other_size');
  assert.equal((await up.piece(id, 0, '')).body.error.field_codes.body.code, 'other_size');
  assert.equal((await up.piece(id, 3, '12')).body.error.field_codes.offset.code, 'other_offset');
  assert.equal((await up.confirm(id)).body.error.field_codes.body.code, 'upload_not_ready');
  assert.deepEqual(listFiles(app), []);
});

test('an account cannot promise a file that leaves no room for the files of other accounts', async (t) => {
  const app = await startApp(t);
  const [{ known }, free] = [await openSite(app), freeBytes(dirname(app.config.db)) - MIN_FREE_BYTES];
  const greedy = uploading(app, known.domain);
  const refused = await greedy.begin({ name: 'a', bytes: Math.floor(free * 0.9) });
  assert.equal(refused.body.error?.field_codes.bytes.code, 'no_disk_room');
  assert.equal((await greedy.begin({ name: 'a', bytes: Math.floor(free * 0.4) })).status, 200);
  app.site(app.stranger, 'other.example');
  const other = uploading(app, 'other.example', { token: app.stranger.token });
  assert.equal((await other.begin({ name: 'b', bytes: Math.floor(free * 0.2) })).status, 200);
});

test('a compressed file is unpacked while it is read', async (t) => {
  const app = await startApp(t);
  const { known } = await openSite(app);
  const up = uploading(app, known.domain);
  const packed = gzipSync(FILE);
  const { id } = (await up.begin({ name: 'hits.ndjson.gz', bytes: packed.length })).body.data;
  const sent = await up.ask('POST', `/${id}/bytes?offset=0`, { body: packed, headers: BYTES });
  assert.equal(sent.status, 200, sent.text);
  assert.equal((await up.wait(id, 'ready')).file.days, 2);
});

test('a new start of the server deletes files of uploads, and knows none of them', async (t) => {
  const app = await startApp(t);
  const { known } = await openSite(app);
  const up = uploading(app, known.domain);
  const { id } = (await up.begin({ name: 'a', bytes: 100 })).body.data;
  await up.piece(id, 0, 'half');
  assert.equal(listFiles(app).length, 1);
  writeFileSync(`${app.config.db}.upload-left`, 'of a killed server');
  await app.restart();
  assert.deepEqual(listFiles(app), []);
  assert.deepEqual((await up.ask('GET', '')).body.data, []);
});

test('an upload whose domain has gone to another site before the last piece is not imported anywhere', async (t) => {
  const app = await startApp(t);
  const { siteId } = app;
  const up = uploading(app, 'example.com');
  const { id } = (await up.begin({ name: 'hits.ndjson', bytes: Buffer.byteLength(FILE) })).body.data;
  await app.owner.ask('PATCH', `/sites/${siteId}`, { domain: 'renamed.example' });
  app.db.run('DELETE FROM former_domain');
  app.site(app.stranger, 'example.com');
  const renamed = uploading(app, 'renamed.example');
  assert.equal((await renamed.piece(id, 0, FILE)).status, 200);
  const { state, error, error_code: code } = await renamed.wait(id, 'ready');
  assert.deepEqual([state, code], ['failed', { code: 'site_gone', values: { domain: 'example.com' } }]);
  assert.match(error, /^example\.com was renamed or deleted/);
  assert.deepEqual(listFiles(app), []);
});
