import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { visitors } from '../cli/importing.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { openSite } from '../stats/stage.ts';
import { startApp } from '../support/helpers.ts';
import { type Answer, type Asking, dataOf } from '../support/requests.ts';

type App = Awaited<ReturnType<typeof startApp>>;

const BYTES = { 'content-type': 'application/octet-stream' };
const FILE = visitors({ 3: 2, 2: 5 });

/** Requests about the uploads of a site. Each answer must have the shape that the table of routes promises. */
function uploading(app: App, domain: string, person: Asking = { token: app.owner.token }) {
  const base = `/api/v1/sites/${domain}/uploads`;
  const ask = (method: string, path: string, more: Asking = {}) => app.ask(method, base + path, { ...person, ...more });
  const self = {
    ask,
    begin: (body: object) => ask('POST', '', { body }),
    piece: (id: number, offset: number, body: string) =>
      ask('POST', `/${id}/bytes?offset=${offset}`, { body, headers: BYTES }),
    confirm: (id: number, body: object = {}) => ask('POST', `/${id}/confirmation`, { body }),
    async read(id: number) {
      const all = dataOf(await ask('GET', ''), 'GET', '/sites/x/uploads');
      return all.find((one: { id: number }) => one.id === id);
    },
    /** Reads an upload until it has this state. A state that nothing follows ends the wait too. */
    async wait(id: number, ...states: string[]) {
      for (;;) {
        const upload = await self.read(id);
        if ([...states, 'done', 'failed'].includes(upload.state)) return upload;
        await pause(20);
      }
    },
    /** Uploads a whole file, and waits until it was read. */
    async send(text: string, more: object = {}) {
      const bytes = Buffer.byteLength(text);
      const { body } = await self.begin({ name: 'hits.ndjson', bytes, ...more });
      const { id } = body.data;
      assert.equal((await self.piece(id, 0, text)).status, 200);
      return await self.wait(id, 'ready');
    },
  };
  return self;
}

/** The files beside the database file that belong to uploads. */
const listFiles = ({ config }: App): string[] =>
  readdirSync(dirname(config.db)).filter((name) => /upload|import/.test(name));

const codeOf = ({ body }: Answer): string => body.error.message_code?.code ?? body.error.code;

async function countVisitors(app: App, domain: string): Promise<number> {
  const range = `${date(TODAY - 9)}~${date(TODAY)}`;
  const { body } = await app.owner.ask('GET', `/sites/${domain}/stats/overview?range=${range}`);
  return body.data.visitors;
}

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

test('a wrong file is refused with a sentence that names its line and no path of the server', async (t) => {
  const app = await startApp(t);
  const { known } = await openSite(app);
  const up = uploading(app, known.domain);
  for (const [text, says] of [
    ['hello', /^The format of this file is not known/],
    [`${FILE}{"at":"x"}\n`, /^Line 8: /],
    ['PK\u0003\u0004 no zip at all', /^It cannot be read as a zip/],
    ['\n', /^The format of this file is not known/],
  ] as const) {
    const { state, error, error_code: code } = await up.send(text, { name: '../../etc/passwd\u202e' });
    assert.equal(state, 'failed', text);
    assert.match(error, says);
    assert.ok(!error.includes(dirname(app.config.db)) && !error.includes('upload-'), error);
    assert.ok(['other_text', 'no_known_format'].includes(code.code));
  }
  assert.deepEqual(listFiles(app), []);
  const skipping = await up.send(`${FILE}{"at":"x"}\n`, { skip_unreadable: true });
  assert.equal(skipping.state, 'ready');
  assert.match(skipping.file.sheet.join('\n'), /skipped: 1 \(lines that cannot be read\), first on line 8/);
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

test('uploads: searches of the Search Console are imported, replaced by the owner only, and are no visits', async (t) => {
  const app = await startApp(t);
  const site = await openSite(app);
  const { domain } = site.known;
  app.join(app.owner, app.stranger, 'manager');
  const mine = uploading(app, domain);
  const head = 'Date,Query,Clicks,Impressions,CTR,Position\n';
  const file = (clicks: number) =>
    `${head}${date(TODAY - 3)},shoes,${clicks},100,8%,1.25\n${date(TODAY - 1)},hats,1,10,10%,2\n`;
  const ready = await mine.send(file(8), { name: 'searches.csv' });
  assert.equal(ready.state, 'ready');
  assert.deepEqual(ready.file, {
    ...{ format: 'search-console', days: 2, from: date(TODAY - 3), to: date(TODAY - 1), taken_days: 0, taken: [] },
    sheet: [`2 rows of queries, from ${date(TODAY - 3)} to ${date(TODAY - 1)}`],
    sheet_codes: ready.file.sheet_codes,
  });
  const clicks = async () => {
    const { body } = await app.owner.ask('GET', `/sites/${domain}/stats/search?range=7d`);
    return body.data.rows.map(({ value, clicks }: { value: string; clicks: number }) => [value, clicks]);
  };
  assert.deepEqual(await clicks(), [], 'nothing before the confirmation');
  assert.equal((await mine.confirm(ready.id)).status, 200);
  const done = await mine.wait(ready.id, 'done');
  assert.deepEqual([done.state, done.import_id], ['done', null]);
  assert.deepEqual(await clicks(), [
    ['shoes', 8],
    ['hats', 1],
  ]);
  assert.equal(await countVisitors(app, domain), 0);

  const manager = uploading(app, domain, { token: app.stranger.token });
  const again = await manager.send(file(9));
  assert.deepEqual([again.file.taken_days, again.file.taken], [2, [date(TODAY - 3), date(TODAY - 1)]]);
  assert.equal((await manager.confirm(again.id)).status, 422);
  assert.equal((await manager.confirm(again.id, { replace: true })).status, 403);
  assert.equal((await mine.confirm(again.id, { replace: true })).status, 200);
  assert.equal((await mine.wait(again.id, 'done')).state, 'done');
  assert.deepEqual((await clicks())[0], ['shoes', 9]);
  const wrong = await mine.send(`${head}2026-03-01,a,x,1,1%,1\n`);
  assert.deepEqual(
    [wrong.state, codeOf({ body: { error: { message_code: wrong.error_code } } } as Answer)],
    ['failed', 'other_text'],
  );
});
