import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStore } from '../src/store/file/open-file.ts';
import { folder } from '../test/support/helpers.ts';
import { until } from '../test/support/program.ts';
import { type Slots, TEMPLATES, type Template } from './attacks.ts';
import { type Client, clientOf, type Reply } from './clients.ts';
import { CORPUS, MARK } from './corpus.ts';
import { scaled } from './scale.ts';
import { serving } from './serving.ts';

/** What a header can carry. */
const plain = (text: string): string =>
  Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[\0\r\n]/g, ' ')
    .trim();

/** So that nobody is told to come back later: that is not what this is about. */
let sent = 0;

function send(
  client: Client,
  token: string,
  { method, path, query = [], body, headers, open }: Template,
  slots: Slots,
): Promise<Reply> {
  sent++;
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(slots[name] ?? ''));
  const asked = new URLSearchParams(query.map((name): [string, string] => [name, slots[name] ?? '']));
  const own = Object.entries(headers?.(slots) ?? {}).map(([name, value]) => [name, plain(value)]);
  return client.ask(method, query.length === 0 ? place : `${place}?${asked}`, {
    headers: {
      'x-forwarded-for': `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`,
      ...(open ? {} : { authorization: `Bearer ${token}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...Object.fromEntries(own),
    },
    ...(body ? { body: JSON.stringify(body(slots)) } : {}),
  });
}

/** A goal and a funnel, which reports are about, and hits that are stored together. */
async function addTargets(client: Client, token: string): Promise<void> {
  const api = (body: object, place: string) =>
    client.ask('POST', `/api/v1/sites/example.com/${place}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  assert.equal((await api({ type: 'event', value: 'signup' }, 'goals')).status, 201);
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const hits = Array.from({ length: 20 }, () => ({ url: 'https://example.com/', ip: '192.0.2.1', agent }));
  assert.equal((await api(hits, 'hits')).status, 202);
  assert.equal(
    (
      await api(
        {
          name: 'a',
          steps: [
            { type: 'page', value: '/a' },
            { type: 'event', value: 'signup' },
          ],
        },
        'funnels',
      )
    ).status,
    201,
  );
}

/** Everything as it should be, with each filter alone and none of them, so that each statement has been prepared. */
async function askAll(client: Client, token: string): Promise<void> {
  for (let round = 0; round < 3; round++) {
    for (const template of TEMPLATES) {
      const { slots, query = [] } = template;
      const without = { ...template, query: query.filter((name) => !name.startsWith('filters[')) };
      const some = query
        .filter((name) => name.startsWith('filters['))
        .map((name) => ({ ...template, query: [...without.query, name] }));
      for (const one of [without, ...some, ...(some.length > 0 ? [] : [template])]) {
        const { status, text } = await send(client, token, one, slots);
        assert.ok(status > 0 && status < 500, `${template.method} ${template.path}: ${status} ${text}`);
      }
    }
  }
}

/** What attacks must not change, as a copy of the file has it, because nobody else holds that. */
function tablesIn(path: string, copy: string) {
  for (const end of ['', '-wal']) copyFileSync(path + end, copy + end);
  const { db, close } = openStore(copy);
  const count = (table: string) => db.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n;
  const found = {
    schema: db.all('SELECT type, name, sql FROM sqlite_master ORDER BY name'),
    counts: ['user', 'account', 'site', 'plan'].map(count),
  };
  assert.deepEqual(db.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
  close();
  return found;
}

/** Each text in each place. */
const ATTACKS = TEMPLATES.flatMap((template) =>
  Object.keys(template.slots).flatMap((slot) =>
    CORPUS.flatMap((text) => (/page|entry|value|next/.test(slot) ? [text, `/${text}`] : [text])).map((text) => ({
      template,
      slot,
      text,
    })),
  ),
).filter((_, n) => n % scaled(9, 1) === 0);

type Attack = (typeof ATTACKS)[number];

/** Sends one text in one place, which must not bring the server down nor find anything; the status of the answer. */
async function attack(client: Client, token: string, { template, slot, text }: Attack): Promise<number> {
  const isFilter = slot.startsWith('filters[');
  const reply = await send(
    client,
    token,
    { ...template, ...(isFilter ? { query: ['range', slot] } : {}) },
    { ...template.slots, [slot]: text },
  );
  const about = `${template.method} ${template.path} ${slot} ${JSON.stringify(text)}: ${reply.status} ${reply.text}`;
  // The queue for passwords is short, and says so.
  const isBusy = reply.status === 503 && template.open && template.slots.password !== undefined;
  assert.ok(reply.status > 0 && (reply.status < 500 || isBusy), about);
  if (reply.status === 200 && isFilter && template.path.endsWith('/overview')) {
    // What stands behind a question mark is not of the page, so that some texts are read as the first page, which has hits.
    const isFirstPage = /^\/[?#]/.test(text);
    if (!isFirstPage) assert.equal(JSON.parse(reply.text).data.pageviews, 0, about);
  }
  return reply.status;
}

test('H13 no text in any parameter comes into a statement, and all statements are those that there are anyway', async (t) => {
  const traced = join(folder(t), 'statements');
  const env = { NODE_OPTIONS: `--require ${fileURLToPath(new URL('./trace.ts', import.meta.url))}`, TRACED: traced };
  const flags = ['--rate-limit', '0', '--flood', '0', '--trusted-proxies', '127.0.0.1'];
  const { server, token, db: path } = await serving(t, { flags, env });
  const noted = () =>
    readFileSync(traced, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as [thread: number, sql: string]);
  // Hits that arrive together are stored by one statement. It has a parameter for each column that some of them need.
  const ofHits = /^(INSERT INTO hit \([\w, ]+\) VALUES )(?:\((?:(?:\?|0|null)(?:, )?)+\)(?:, )?)+$/;
  const statements = () => new Set(noted().map(([, sql]) => sql.replace(ofHits, '$1')));
  const clients = Array.from({ length: 8 }, () => clientOf(server.port));
  const [client] = clients as [Client];
  await addTargets(client, token);
  await askAll(client, token);
  // What is dropped is counted within a second.
  const bot = { 'user-agent': 'curl/8', 'accept-language': 'de' };
  const hit = JSON.stringify({ site: 'example.com', url: 'https://example.com/' });
  assert.equal((await client.ask('POST', '/day', { headers: bot, body: hit })).headers['daybook-dropped'], 'bot');
  // An unknown site is looked for among the former names.
  const unknown = JSON.stringify({ site: 'unknown.example', url: 'https://unknown.example/' });
  assert.equal((await client.ask('POST', '/day', { headers: bot, body: unknown })).status, 202);
  await until('it is counted', () => [...statements()].some((sql) => sql.includes('INSERT INTO drop_day')));
  const known = statements();
  const tables = () => tablesIn(path, join(folder(t), 'copy.db'));
  const before = tables();

  const statuses = new Map<number, number>();
  let left = ATTACKS.length;
  await Promise.all(
    clients.map(async (one) => {
      while (left > 0) {
        left--;
        const status = await attack(one, token, ATTACKS[left] as Attack);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }),
  );
  for (const one of clients) one.close();
  t.diagnostic(
    `${ATTACKS.length} attacks: ${JSON.stringify(Object.fromEntries([...statuses].sort()))}; ${known.size} statements`,
  );
  assert.ok(known.size > 100);
  assert.ok(new Set(noted().map(([thread]) => thread)).size > 1, 'threads write down their own');
  for (const sql of statements()) {
    assert.equal(sql.includes(MARK), false, sql);
    assert.ok(known.has(sql), `a statement that was not there before: ${sql}`);
  }
  assert.deepEqual(tables(), before);
  assert.deepEqual(
    server.stderr.filter((line) => !line.includes('"event":"invitation created.')),
    [],
  );
  assert.equal(await server.stop(), 0);
});
