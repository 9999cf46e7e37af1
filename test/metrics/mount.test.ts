import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { commandLine, type ServerHere } from '../cli/here.ts';
import { BROWSER } from '../collect/stage.ts';
import { furnish } from '../support/furnish.ts';

const TOKEN = 'a-token-of-some-length';
const MARK = 'mark-of-a-visitor';

async function serving(t: TestContext) {
  const { print, serve, db } = commandLine(t);
  const token = await furnish(db);
  return { ...(await serve(['--metrics-token', TOKEN])), token, db, print };
}

async function metricsOf({
  url,
}: Pick<ServerHere, 'url'>): Promise<{ text: string; of(name: string): number | undefined }> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  const values = new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
  return { text, of: (name) => values.get(name) };
}

test('hits, drops, questions and answers are counted, and nobody is in it', async (t) => {
  const server = await serving(t);
  const { url, token } = server;
  const send = (message: object, headers: Record<string, string> = BROWSER) =>
    fetch(`${url}/day`, { method: 'POST', body: JSON.stringify(message), headers });
  for (let n = 0; n < 3; n++) await send({ site: 'example.com', url: `https://example.com/${MARK}/${n}` });
  await send({ site: 'example.com', url: 'https://elsewhere.example/' });
  await send({ site: `${MARK}.example`, url: `https://${MARK}.example/` });
  await send({ site: 'example.com', url: 'https://example.com/' }, { 'user-agent': `curl/8 ${MARK}` });
  const ask = (path: string) =>
    fetch(`${url}/api/v1/sites/example.com${path}`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal((await ask('/stats/overview?range=today')).status, 200);
  assert.equal((await ask(`/stats/${MARK}`)).status, 404);
  assert.equal((await fetch(`${url}/${MARK}`, { method: 'PROPFIND' })).status, 404);

  const { text, of } = await metricsOf(server);
  assert.equal(of('daybook_hits_accepted_total'), 3);
  for (const reason of ['foreign-host', 'unknown-site', 'bot'])
    assert.equal(of(`daybook_hits_dropped_total{reason="${reason}"}`), 1, reason);
  assert.ok((of('daybook_commit_seconds_count') ?? 0) >= 1);
  assert.equal(of('daybook_commit_rows_sum'), 3);
  assert.equal(of('daybook_questions_total{outcome="answered"}'), 1);
  assert.equal(of('daybook_http_answers_total{route="/day",method="POST",status="2xx"}'), 6);
  const overview = '/api/v1/sites/:site/stats/overview';
  assert.equal(of(`daybook_http_answers_total{route="${overview}",method="GET",status="2xx"}`), 1);
  assert.equal(of('daybook_http_answers_total{route="none",method="GET",status="4xx"}'), 1);
  assert.equal(of('daybook_http_answers_total{route="none",method="other",status="4xx"}'), 1);
  assert.equal(of('daybook_queue_hits'), 0);
  for (const name of ['daybook_file_bytes', 'process_resident_memory_bytes']) assert.ok((of(name) ?? 0) > 0, name);
  // A new salt empties the WAL, so that it may hold nothing.
  for (const name of ['daybook_wal_bytes', 'daybook_event_loop_lag_p99_seconds'])
    assert.ok(Number.isFinite(of(name)), name);
  for (const secret of [MARK, 'example.com', 'ann', '127.0.0.1', TOKEN]) assert.ok(!text.includes(secret), secret);
});

test('the age of the last copy is told once there is one', async (t) => {
  const server = await serving(t);
  assert.equal((await metricsOf(server)).of('daybook_backup_age_seconds'), undefined);
  await server.print(['backup', 'copy.db']);
  assert.ok(((await metricsOf(server)).of('daybook_backup_age_seconds') ?? -1) >= 0);
});

test('without the token nobody sees anything, and a server without one has no such page', async (t) => {
  const { url, token } = await serving(t);
  for (const authorization of [
    '',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    TOKEN,
    `bearer ${TOKEN}`,
    `Bearer ${token}`,
  ]) {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization } });
    assert.equal(answer.status, 401, authorization);
    assert.doesNotMatch(await answer.text(), /daybook_/);
  }
  const plain = await commandLine(t).serve();
  assert.equal((await fetch(`${plain.url}/metrics`, { headers: { authorization: 'Bearer undefined' } })).status, 404);
});
