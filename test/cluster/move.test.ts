import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../src/store/file/open-file.ts';
import { addBlock } from '../../src/store/sites/blocks.ts';
import { keepDays } from '../../src/store/sites/sites.ts';
import { append, CHROME, GPTBOT, type Hit, pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { furnish } from '../support/furnish.ts';
import { folder } from '../support/helpers.ts';
import { DAYBOOK, type Program, program, type Server, until } from '../support/program.ts';
import { chance } from '../support/random.ts';
import { CLUSTER, hostsOf, startCluster } from './servers.ts';

const UNLIMITED = ['--rate-limit', '0'];
const DOMAINS = ['example.com', 'other.example'];
const RANGE = `range=${date(TODAY - 40)}~${date(TODAY)}`;
const BREAKDOWNS = ['pages', 'entry_pages', 'exit_pages', 'referrers', 'countries', 'browsers', 'events'];

/** What the answers of both engines have to agree on. */
const QUESTIONS = [1, 2].flatMap((site) => {
  const filters = ['', '&filters[page]=/2', '&filters[country]=DE&filters[event]=buy'];
  return [
    ...filters.map((filter) => `${site}/stats/overview?${RANGE}${filter}`),
    ...filters.map((filter) => `${site}/stats/timeseries?${RANGE}${filter}`),
    `${site}/stats/timeseries?range=${date(TODAY - 3)}~${date(TODAY)}&interval=hour`,
    ...BREAKDOWNS.flatMap((name) =>
      filters.map((filter) => `${site}/stats/breakdown/${name}?${RANGE}${filter}&limit=100`),
    ),
    `${site}/stats/breakdown/pages?${RANGE}&metrics=time_on_page,scroll_depth`,
    `${site}/stats/overview?${RANGE}&metrics=revenue&currency=EUR`,
    `${site}/stats/timeseries?${RANGE}&metrics=revenue&currency=USD`,
    `${site}/stats/breakdown/countries?${RANGE}&metrics=revenue&currency=EUR`,
    `${site}/stats/breakdown/event_labels?${RANGE}&event=play`,
    `${site}/stats/bots?${RANGE}`,
    `${site}/stats/bots?range=${date(TODAY)}~${date(TODAY)}`,
    `${site}/stats/drops?${RANGE}`,
    `${site}/stats/days?${RANGE}`,
    `${site}/exclusions`,
    `${site}/blocks`,
  ];
});

/** Hits of a day as any site has them, out of order, with signs of life among them. */
function anyHits(random: () => number, siteId: number, day: number, count: number): Hit[] {
  const any = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)] as Item;
  return Array.from({ length: count }, () => {
    const isSign = random() < 0.2;
    return pageview({
      siteId,
      day,
      second: Math.floor(random() * (day === TODAY ? 40_000 : 86_400)),
      visitor: 2 ** 52 + Math.floor(random() * (count / 4)),
      page: `/${Math.floor(random() * 8)}`,
      event: isSign || random() < 0.8 ? '' : any(['buy', 'play']),
      label: random() < 0.1 ? 'x' : '',
      source: any(['', 'a.example', 'b.example']),
      country: any(['', 'DE', 'FR']),
      browser: any(['Firefox', 'Chrome']),
      revenue: !isSign && random() < 0.1 ? any(['EUR 1999', 'EUR 9999999999', 'USD 5']) : '',
      engaged: isSign ? Math.floor(random() * 60) : null,
      ...(isSign && random() < 0.8 ? { scroll: Math.floor(random() * 101) } : {}),
    });
  });
}

type Asked = Record<string, unknown>;

async function ask({ url }: Server, token: string, questions = QUESTIONS): Promise<Asked> {
  const answers: Asked = {};
  for (const question of questions) {
    const answer = await fetch(`${url}/api/v1/sites/${question}`, { headers: { Authorization: `Bearer ${token}` } });
    const { data } = (await answer.json()) as { data: unknown };
    assert.equal(answer.status, 200, question);
    // Each server counts some days again at its start.
    answers[question] = JSON.parse(JSON.stringify(data), (name, value) =>
      name === 'recounted_at' ? undefined : value,
    );
  }
  return answers;
}

const view = async ({ url }: Server, page: string, agent = CHROME): Promise<void> => {
  const body = JSON.stringify({ site: 'example.com', url: `https://example.com${page}` });
  const answer = await fetch(`${url}/day`, {
    method: 'POST',
    body,
    headers: { 'user-agent': agent, 'accept-language': 'de' },
  });
  assert.equal(answer.status, 202);
};

/** A file with some of everything: sealed days, one of them in parts, imports, sums, crawls, drops and exclusions. */
async function stage(t: TestContext, random: () => number) {
  const servers = await startCluster(folder(t), 2, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const daybook = program(t);
  const { print, db: path, folder: at } = daybook;
  const token = await furnish(path, DOMAINS);
  const { db, close } = openStore(path);
  for (const site of [1, 2])
    for (const back of [30, 20, 10, 3, 2, 1])
      await append(db, anyHits(random, site, TODAY - back, 60), [
        { siteId: site, day: TODAY - back, crawler: 'gptbot', page: '/c' },
      ]);
  close();
  await print(['seal']);
  const again = openStore(path);
  // One more slice of a day that was sealed.
  await append(again.db, anyHits(random, 1, TODAY - 1, 20));
  again.close();
  await print(['seal']);
  writeFileSync(
    join(at, 'file.ndjson'),
    [40, 0]
      .map((back) =>
        JSON.stringify({ at: `${date(TODAY - back)}T09:00:00Z`, url: 'https://example.com/2', visitor: 'v' }),
      )
      .join('\n'),
  );
  await print(['import', 'example.com', join(at, 'file.ndjson'), '--format', 'ndjson']);
  await print(['exclude', 'example.com', '--from', date(TODAY - 10), '--note', 'x', '--filter', 'page=/3']);
  // Its visits stay excluded on a day that loses its hits.
  await print(['exclude', 'other.example', '--from', date(TODAY - 25), '--note', 'y', '--filter', 'page=/3']);
  const last = openStore(path);
  keepDays(last.db, 2, 15);
  last.close();
  await print(['seal']);
  // From here on, each check compares the days with their receipts too.
  for (const domain of DOMAINS) await print(['receipts', 'export', domain]);
  const open = openStore(path);
  await append(open.db, [...anyHits(random, 1, TODAY, 80), ...anyHits(random, 2, TODAY, 80)]);
  open.db.write(() => addBlock(open.db, 1, { kind: 'page', value: '/blocked', note: '', now: 0 }));
  // Late for a day that was sealed.
  await append(open.db, anyHits(random, 1, TODAY - 2, 10));
  open.close();
  await print(['seal']);
  return { daybook, token, engine: `clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}` };
}

/** Begins a move and ends it at some moment. */
async function interrupted({ db, folder: cwd }: Program, target: string, ms: number): Promise<void> {
  const child = spawn(process.execPath, [...DAYBOOK, 'move', '--to', target, '--db', db], { cwd, stdio: 'ignore' });
  const ended = once(child, 'close');
  setTimeout(() => child.kill('SIGKILL'), ms).unref();
  await ended;
}

test('a file moves to a cluster and back beside its server, and answers every question as before', async (t) => {
  const random = chance(t);
  const { daybook, token, engine } = await stage(t, random);
  const { serve, print, run, db } = daybook;
  const own = await serve(UNLIMITED);
  for (const page of ['/first', '/blocked']) await view(own, page);
  await view(own, '/robots', GPTBOT);
  await view(own, '/none', 'curl/8');
  const refused = await run([
    'serve',
    '--port',
    '0',
    '--db',
    join(folder(t), 'x.db'),
    '--engine',
    'clickhouse://127.0.0.1:1/own',
  ]);
  assert.equal(refused.code, 1);
  const link = join(folder(t), 'link.db');
  symlinkSync(db, link);
  assert.match(
    await print(['move', '--to', engine, '--db', link]),
    /^\d+ sealed days moved and verified, no differences\. The server goes on/,
  );
  await view(own, '/second');
  const before = await ask(own, token);
  assert.match(JSON.stringify(before['1/blocks']), /"dropped":1/);
  await own.stop();
  const early = await run(['serve', '--port', '0', '--engine', engine]);
  assert.match(early.stderr, /To move them to the cluster, run daybook move --to URL/);
  await interrupted(daybook, engine, 100 + random() * 600);
  const { stdout, stderr } = await run(['move', '--to', engine]);
  // The kill comes before the switch, between the switch and the deletion of what the file had, or after both.
  assert.match(stdout + stderr, /hits of open days moved. Start|everything was moved before|are on a cluster already/);

  const left = openStore(db);
  // A kill may have come between the last step and the tidying up.
  for (const table of stdout === ''
    ? []
    : ['hit', 'sealed_blob', 'rollup', 'month_rollup', 'crawl_day', 'packed_crawl', 'drop_day', 'term'])
    assert.deepEqual(left.db.one(`SELECT count(*) AS n FROM ${table}`), { n: 0 }, table);
  left.close();

  const there = await serve([...UNLIMITED, '--engine', engine]);
  const moved = await ask(there, token);
  for (const question of QUESTIONS) assert.deepEqual(moved[question], before[question], question);
  assert.match(await print(['check', '--engine', engine]), /, 0 differ$/);
  await view(there, '/third');
  const pages = [`1/stats/breakdown/pages?${RANGE}&limit=100`];
  await until('the hit is there', async () => JSON.stringify(await ask(there, token, pages)).includes('/third'));

  assert.match(await print(['move', '--to', 'file', '--engine', engine]), /The server goes on as before/);
  const last = await ask(there, token);
  await there.stop();
  assert.match(await print(['move', '--to', 'file', '--engine', engine]), /Start the server without --engine/);
  const back = await serve(UNLIMITED);
  const again = await ask(back, token);
  for (const question of QUESTIONS) assert.deepEqual(again[question], last[question], question);
  await view(back, '/fourth');
  assert.match(await print(['check']), /, 0 differ$/);
});
