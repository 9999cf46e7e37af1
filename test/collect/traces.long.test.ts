import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/helpers.ts';
import { bytesBeside } from './collecting.ts';
import { BROWSER, CHROME, CURL, GPTBOT, NOWHERE, storedDrops, storedHits } from './stage.ts';

/** Enough for many batches, and for the WAL to be emptied in between. */
const SENT = 12_000;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one story: what was sent is looked for in all that is left of it
test('neither address nor agent nor query comes into the file, into what lies beside it, or into the log', async (t) => {
  const app = await startApp(t, { flood: '0', 'trusted-proxies': NOWHERE });
  const { ask, db, tokenOf, owner, siteId, strangerSiteId } = app;
  const secrets = new Set<string>(['203.0.', '2001:db8:', 'semalt-path', 'before-path', 'hash-mark']);
  let marks = 0;
  const marked = (name: string): string => {
    secrets.add(`${name}-mark`);
    return `${name}-mark${marks++}`;
  };
  const addressOf = (n: number): string =>
    n % 2 ? `203.0.${n % 200}.${(n * 7) % 250}` : `2001:db8:${(n + 4_096).toString(16)}:77::${n + 1}`;
  const messageOf = (page: number) => ({
    site: 'example.com',
    url: `https://${marked('user')}:pw@example.com/page${page}?token=${marked('query')}&utm_source=kept#hash-mark`,
    referrer: `https://x.org/before-path?session=${marked('referrer')}`,
  });
  const agentOf = () => `${CHROME} ${marked('handset')}/1.0`;
  const send = (n: number) =>
    ask('POST', '/day', {
      body: messageOf(n % 100),
      headers: {
        ...BROWSER,
        'user-agent': agentOf(),
        'accept-language': marked('language'),
        cookie: `id=${marked('cookie')}`,
        'x-forwarded-for': addressOf(n),
      },
    });
  for (let n = 0; n < SENT; n += 100) {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => send(n + i)));
    for (const { status, headers } of answers) assert.deepEqual([status, headers.get('Daybook-Dropped')], [202, null]);
  }

  // What a server passes on, what is dropped, what is wrong, and what could not be stored.
  const passed = Array.from({ length: 100 }, (_, n) => {
    const { url, referrer } = messageOf(n);
    return { url, referrer, ip: addressOf(5_000 + n), agent: agentOf() };
  });
  const token = tokenOf(owner, ['collect']);
  const path = `/api/v1/sites/${siteId}`;
  assert.equal((await ask('POST', `${path}/hits`, { token, body: passed })).body.data.accepted, 100);
  const crawl = { url: `https://example.com/crawled?key=${marked('query')}`, agent: `GPTBot/1.0 ${marked('handset')}` };
  assert.equal((await ask('POST', `${path}/crawls`, { token, body: [crawl] })).body.data.accepted, 1);
  const odd: [message: object, headers: Record<string, string>][] = [
    [{ url: `https://${marked('host')}.example/` }, {}],
    [{ site: `${marked('site')}.example` }, {}],
    [{ referrer: 'https://semalt.com/semalt-path' }, {}],
    [{}, { 'user-agent': `${CURL} ${marked('handset')}` }],
    [{}, { 'user-agent': `${GPTBOT} ${marked('handset')}` }],
    [{ unknown: marked('value') }, {}],
    [{ url: `mailto:${marked('mail')}@example.com` }, {}],
    [{ engaged: 1000 }, {}],
  ];
  const sendOdd = (n: number) => {
    const [message, headers] = odd[n] ?? [{}, {}];
    return ask('POST', '/day', {
      body: { ...messageOf(n), referrer: undefined, ...message },
      headers: { ...BROWSER, 'user-agent': agentOf(), 'x-forwarded-for': addressOf(6_000 + n), ...headers },
    });
  };
  for (const n of odd.keys()) await sendOdd(n);
  db.run('PRAGMA query_only = ON');
  assert.equal((await send(7_000)).status, 503);
  db.run('PRAGMA query_only = OFF');
  assert.equal((await send(7_001)).status, 202);
  assert.equal(storedHits(db).length, SENT + 101);
  assert.ok(storedDrops(db, siteId).bot && !storedDrops(db, strangerSiteId).bot);

  const file = db.one<{ file: string }>('SELECT file FROM pragma_database_list')?.file ?? '';
  const bytes = bytesBeside(file);
  const log = app.log.join('');
  // What is kept is found this way, and the log has something in it.
  assert.ok(bytes.includes('/page7') && bytes.includes('kept') && bytes.includes('x.org'));
  assert.match(log, /not stored/);
  assert.ok(marks > 5 * SENT);
  for (const secret of secrets) {
    assert.equal(bytes.includes(secret) || log.includes(secret), false, `${secret} was kept`);
  }
  // Any of the networks as bytes, in one search: one for each took longer than all of the rest.
  const network = ['20010db8', '0077'].map((part) => Buffer.from(part, 'hex').toString('latin1')).join('[^]{2}');
  assert.equal(new RegExp(network).test(bytes.toString('latin1')), false, 'a network was kept');
});
