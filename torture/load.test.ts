import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { BROWSER, CHROME } from '../test/collect/stage.ts';
import { type Server, until } from '../test/support/program.ts';
import { type Client, clientOf, quantile } from './clients.ts';
import { scaled } from './scale.ts';
import { serving } from './serving.ts';
import { honest, NOISE, rss, told } from './watch.ts';

/** So many requests of each connection are not measured: both sides are still being compiled, and all connect at once. */
const WARM = 2;

const descriptors = ({ pid }: Server): number => readdirSync(`/proc/${pid}/fd`).length;

const REPORTS = ['overview', 'timeseries', 'breakdown/pages', 'breakdown/referrers', 'breakdown/browsers', 'realtime'];

test('H7 a thousand connections that send hits and ask for reports get all of it, soon, and leave nothing behind', async (t) => {
  const sites = Array.from({ length: 20 }, (_, n) => `site${n}.example`);
  const { server, token } = await serving(t, { sites, flags: ['--rate-limit', '0', '--flood', '0'] });
  const before = descriptors(server);
  const end = performance.now() + scaled(8_000, 300_000);
  const hits: number[] = [];
  const reports: number[] = [];
  const api = { Authorization: `Bearer ${token}` };
  const clients = Array.from({ length: 1_000 }, () => clientOf(server.port));
  let most = 0;
  let sent = 0;

  async function browse(who: number): Promise<void> {
    const client = clients[who] as (typeof clients)[number];
    const site = sites[who % sites.length];
    const browser = { ...BROWSER, 'user-agent': `${CHROME} ${who}` };
    // Not all in the same moment, and each once a second.
    await pause(who);
    for (let n = 0; performance.now() < end; n++) {
      const due = performance.now() + 1_000;
      if ((who + n) % 10 === 0) {
        const report = REPORTS[n % REPORTS.length];
        const { status, ms, text } = await client.ask('GET', `/api/v1/sites/${site}/stats/${report}`, { headers: api });
        assert.equal(status, 200, text);
        if (n > WARM) reports.push(ms);
      } else {
        const body = JSON.stringify({
          site,
          url: `https://${site}/${n % 50}`,
          referrer: `https://from${n % 7}.example/`,
        });
        const { status, ms, text } = await client.ask('POST', '/day', { headers: browser, body });
        assert.equal(status, 202, text);
        sent++;
        if (n > WARM) hits.push(ms);
      }
      if (who === 0) most = Math.max(most, descriptors(server));
      await pause(Math.max(0, due - performance.now()));
    }
    client.close();
  }

  const memory = rss(server);
  await Promise.all(clients.map((_, who) => browse(who)));
  t.diagnostic(`hits: ${told(hits)}`);
  t.diagnostic(`reports: ${told(reports)}`);
  t.diagnostic(`${memory.toFixed(0)} MB and then ${rss(server).toFixed(0)}, ${most} descriptors`);
  assert.ok(quantile(hits, 0.99) < 50 * NOISE);
  assert.ok(quantile(reports, 0.99) < 500 * NOISE);
  assert.ok(most > 900);
  // The threads that read have opened the file meanwhile.
  await until('no connection is left open', () => descriptors(server) <= before + 40);
  const client = clientOf(server.port);
  let counted = 0;
  for (const site of sites) {
    const { text } = await client.ask('GET', `/api/v1/sites/${site}/stats/overview?range=7d`, { headers: api });
    counted += JSON.parse(text).data.pageviews;
  }
  client.close();
  assert.equal(counted, sent);
  assert.deepEqual(server.stderr, []);
});

type Row = { value: string; visitors: number };

/** What a breakdown must say of values in their order of arrival, each with its visitor: beyond the cap all are one. */
function topOf(seen: readonly (readonly [value: string, visitor: string])[], cap: number): Row[] {
  const visitors = new Map<string, Set<string>>();
  for (const [value, visitor] of seen) {
    const isNew = !visitors.has(value);
    const kept = isNew && visitors.size - Number(visitors.has('(other)')) >= cap ? '(other)' : value;
    const of = visitors.get(kept) ?? new Set();
    visitors.set(kept, of.add(visitor));
  }
  return [...visitors]
    .map(([value, of]) => ({ value, visitors: of.size }))
    .sort((a, b) => b.visitors - a.visitors || (a.value < b.value ? -1 : 1))
    .slice(0, 100);
}

/** Hits of which each has words of its own, and what they say with whom, in their order. */
function bomb() {
  const pages: [string, string][] = [];
  const sources: [string, string][] = [];
  const events: [string, string][] = [];
  const batchOf = (first: number) =>
    Array.from({ length: 1_000 }, (_, i) => {
      const n = first + i;
      const ip = `85.${Math.floor(n / 251) % 4}.${n % 251}.1`;
      const isEvent = n % 10 === 9;
      const [page, source] = [isEvent ? '/' : `/bomb/${n}`, `from${n}.example`];
      if (isEvent) events.push([`event ${n}`, ip]);
      else pages.push([page, ip]);
      // A source is that of a visit, and each address is one visit.
      sources.push([source, ip]);
      const url = `https://bomb.example${page}`;
      return { url, referrer: `https://${source}/`, ip, agent: CHROME, ...(isEvent ? { event: `event ${n}` } : {}) };
    });
  return { pages, sources, events, batchOf };
}

const FLOOD = 300;

/** More hits than one browser may send. The answers do not say which of them are dropped. */
async function flood(client: Client): Promise<void> {
  for (let n = 0; n < FLOOD; n++) {
    const body = JSON.stringify({ site: 'bomb.example', url: `https://bomb.example/flood/${n}` });
    const { status } = await client.ask('POST', '/day', { headers: BROWSER, body });
    assert.equal(status, 202);
  }
}

test('H8 a flood of words on one site grows the file by its hits only, is answered exactly, and harms no other site', async (t) => {
  const flags = ['--rate-limit', '0'];
  const { server, token, db } = await serving(t, { sites: ['bomb.example', 'quiet.example'], flags });
  const api = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const client = clientOf(server.port);
  const total = scaled(40_000, 1_000_000);
  const { pages, sources, events, batchOf } = bomb();
  const size = (): number =>
    [db, `${db}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  const before = size();

  let isOver = false;
  const others = honest(server, 'quiet.example', () => isOver);
  const start = performance.now();
  for (let first = 0; first < total; first += 1_000) {
    const { status, text } = await client.ask('POST', '/api/v1/sites/bomb.example/hits', {
      headers: api,
      body: JSON.stringify(batchOf(first)),
    });
    assert.equal(status, 202, text);
    assert.deepEqual(JSON.parse(text).data, { accepted: 1_000, dropped: 0 });
  }
  const seconds = (performance.now() - start) / 1000;
  isOver = true;
  const took = await others;
  const grown = size() - before;
  t.diagnostic(`${total} hits, ${(total / seconds).toFixed(0)} a second, ${(grown / total).toFixed(0)} bytes each`);
  t.diagnostic(`the other site: ${told(took)}; ${rss(server).toFixed(0)} MB`);
  assert.ok(grown / total < 250);
  assert.ok(quantile(took, 0.99) < 100 * NOISE);

  const ask = async (path: string) => {
    const { status, text } = await client.ask('GET', `/api/v1/sites/${path}`, { headers: api });
    assert.equal(status, 200, text);
    return JSON.parse(text).data;
  };
  const overview = await ask('bomb.example/stats/overview?range=7d');
  assert.deepEqual(
    [overview.pageviews, overview.visitors],
    [pages.length, new Set([...pages, ...events].map(([, ip]) => ip)).size],
  );
  const words = async (name: string) => (await ask(`bomb.example/stats/breakdown/${name}?range=7d&limit=100`)).rows;
  // The page of events takes the tenth place.
  const [nine, rest] = [pages.slice(0, 9), pages.slice(9)];
  const allPages = topOf([...nine, ['/', ''], ...rest], 10_000).filter(({ value }) => value !== '/');
  assert.deepEqual((await words('pages')).slice(0, 99), allPages.slice(0, 99));
  assert.deepEqual(await words('events'), topOf(events, 200));
  const firsts = new Map(sources.toReversed().map(([source, ip]) => [ip, source]));
  const cap = new Set(sources.slice(0, 5_000).map(([source]) => source));
  const kept = [...firsts].map(([ip, source]) => [cap.has(source) ? source : '(other)', ip] as const);
  assert.deepEqual(await words('referrers'), topOf(kept, 5_000));
  assert.equal((await ask('quiet.example/stats/overview?range=7d')).pageviews, took.length);

  // And what a browser may send is bounded before it becomes a word.
  await flood(client);
  const { pageviews } = await ask('bomb.example/stats/overview?range=7d');
  const floods = FLOOD - (pageviews - overview.pageviews);
  assert.ok(floods > 0);
  const drops = async () => (await ask('bomb.example/stats/drops?range=7d')).drops;
  await until('what was dropped is counted', async () => (await drops()).length > 0);
  await until('all of it', async () => (await drops())[0].hits === floods);
  assert.deepEqual(await drops(), [{ reason: 'flood', hits: floods }]);
  client.close();
  assert.deepEqual(server.stderr, []);
});
