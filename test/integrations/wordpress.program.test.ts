import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../src/store/file/open-file.ts';
import { GERMAN, storedHits } from '../collect/stage.ts';
import { furnish } from '../support/furnish.ts';
import { PROGRAM, type Program, program, until } from '../support/program.ts';
import { CHROME, CRAWLER_AGENTS, crawledNow, PEOPLE, visit } from './crawled.ts';
import { skip, startWordPress, type WordPress } from './wordpress.ts';

type Settings = Record<string, unknown>;

/** Stores settings as the page of the settings does, with its checks. */
const change = ({ run }: WordPress, settings: Settings): string =>
  run(
    `update_option('daybook', daybook_sanitize_settings(array_merge(daybook_settings(), json_decode('${JSON.stringify(settings)}', true))));
     echo daybook_describe_state(daybook_settings())[1];`,
  );

/** daybook, and a website with WordPress that counts with it. */
async function stage(t: TestContext, isNetwork = false) {
  // PHP says when, by the clock of the machine.
  const daybook = program(t, { command: [process.execPath, PROGRAM] });
  const domains = ['example.com', 'other.example'];
  const token = await furnish(daybook.db, domains);
  const { url: server, stop } = await daybook.serve();
  const wordpress = await startWordPress(t, daybook.folder, isNetwork);
  const state = isNetwork
    ? ''
    : change(wordpress, { server, domain: 'example.com', token, share: `${server}/share/abc` });
  return { daybook, server, token, wordpress, state, stopServer: stop };
}

type Asking = { method?: string; body?: unknown; cookie?: string; headers?: Record<string, string> };

const ask = ({ url }: WordPress, path: string, { method = 'GET', body, cookie, headers = {} }: Asking = {}) =>
  fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: { 'User-Agent': CHROME, 'Accept-Language': 'de', ...(cookie ? { Cookie: cookie } : {}), ...headers },
    ...(body === undefined ? {} : { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
  });

const read = async (wordpress: WordPress, path: string, asking: Asking = {}): Promise<string> =>
  (await ask(wordpress, path, asking)).text();

/** Signs somebody in, and gives the cookies. */
async function signIn(wordpress: WordPress, name: string): Promise<string> {
  const body = new URLSearchParams({ log: name, pwd: `a password of ${name}`, testcookie: '1' });
  const answer = await ask(wordpress, '/wp-login.php', {
    method: 'POST',
    body,
    cookie: 'wordpress_test_cookie=WP%20Cookie%20check',
  });
  assert.equal(answer.status, 302);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

const TAG = /<script\b[^>]*\bdata-site="example\.com"[^>]*>/;

/** The URLs of the script and of its messages, as the script finds them. */
async function findRoutes(wordpress: WordPress, path = '/') {
  const tag = TAG.exec(await read(wordpress, path))?.[0] ?? '';
  const src = (/src="([^"]*)"/.exec(tag)?.[1] ?? '').replaceAll('&#038;', '&').slice(wordpress.url.length);
  return { tag, script: src, messages: src.replace(/\.js[^/]*$/, '') };
}

function readHits({ db: path }: Program) {
  const { db, close } = openStore(path, { create: false });
  const hits = storedHits(db);
  close();
  return hits;
}

/** The hits of daybook, as soon as there are so many: WordPress answers before it passes a message on. */
async function waitForHits(daybook: Program, count: number) {
  await until(`daybook has ${count} hits`, async () => readHits(daybook).length >= count);
  return readHits(daybook);
}

const PAGE = { site: 'example.com', url: 'https://example.com/hello', width: 1_440, props: {} };

test('WordPress: the browser talks to the website only, and daybook counts the visitor', { skip }, async (t) => {
  const { daybook, server, wordpress, state } = await stage(t);
  assert.equal(state, 'Connected. Visits are counted.');
  const { tag, script, messages } = await findRoutes(wordpress);
  assert.match(script, /^\/\?q[0-9a-f]{7}=x\.js$/);
  assert.match(tag, /\bdefer\b/);
  assert.doesNotMatch(tag, /data-404|data-respect-dnt/);
  assert.match((await findRoutes(wordpress, '/missing/')).tag, /data-404/);

  const served = await ask(wordpress, script);
  assert.equal(served.headers.get('Content-Type'), 'text/javascript; charset=utf-8');
  assert.equal(await served.text(), await (await fetch(`${server}/day.js`)).text());
  const again = await ask(wordpress, script, { headers: { 'If-None-Match': served.headers.get('ETag') ?? '' } });
  assert.equal(again.status, 304);

  const send = (body: unknown, headers: Record<string, string> = {}) =>
    ask(wordpress, messages, { method: 'POST', body, headers: { 'X-Real-IP': GERMAN, ...headers } });
  // Without a proxy in the settings, a visitor cannot make up an IP address.
  assert.equal((await send(PAGE)).status, 202);
  assert.equal((await waitForHits(daybook, 1))[0]?.country, '');
  change(wordpress, { address_header: 'X-Real-IP' });
  const answer = await send({ ...PAGE, event: 'signup' });
  assert.deepEqual([answer.status, await answer.text(), answer.headers.get('Set-Cookie')], [202, '', null]);
  await waitForHits(daybook, 2);
  await send({ site: PAGE.site, url: PAGE.url, engaged: 12_000, scroll: 80 });
  const [, event, heartbeat] = await waitForHits(daybook, 3);
  assert.deepEqual(
    [event?.page, event?.event, event?.country, event?.language, event?.browser],
    ['/hello', 'signup', 'DE', 'de', 'Chrome'],
  );
  assert.deepEqual([heartbeat?.scroll, heartbeat?.visitor], [80, event?.visitor]);

  // Nobody can count for another site of the token's owner.
  await send({ ...PAGE, site: 'other.example', url: 'https://other.example/' });
  for (const body of [[], 'text', { ...PAGE, referrer: 'x'.repeat(9_000) }])
    assert.equal((await send(body)).status, 400);
  // A message may be as long as daybook takes, in any script.
  const long = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`p${n}`, '語'.repeat(200)]));
  await send({ ...PAGE, event: 'last', props: long });
  assert.equal((await waitForHits(daybook, 4))[3]?.event, 'last');
  assert.deepEqual(wordpress.faults(), []);
});

test('WordPress: the excluded roles see no script, and others do', { skip }, async (t) => {
  const { wordpress } = await stage(t);
  const [ann, ben] = [await signIn(wordpress, 'ann'), await signIn(wordpress, 'ben')];
  const sees = async (cookie: string) => TAG.test(await read(wordpress, '/', { cookie }));
  assert.deepEqual([await sees(''), await sees(ann), await sees(ben)], [true, false, true]);
  change(wordpress, { excluded_roles: ['subscriber'] });
  assert.deepEqual([await sees(ann), await sees(ben)], [true, false]);
});

test('WordPress: only an administrator with a fresh form changes the settings, and the token stays hidden', {
  skip,
}, async (t) => {
  const { wordpress, token } = await stage(t);
  const [ann, ben] = [await signIn(wordpress, 'ann'), await signIn(wordpress, 'ben')];
  const path = '/wp-admin/options-general.php?page=daybook';
  assert.equal((await ask(wordpress, path, { cookie: ben })).status, 403);
  const page = await read(wordpress, path, { cookie: ann });
  assert.match(page, /Connected\. Visits are counted\./);
  assert.ok(!page.includes(token.split('|')[1] ?? ''));
  assert.equal(
    wordpress.run(`add_filter('plugin_locale', fn() => 'de_DE'); unload_textdomain('daybook', true); daybook_load_translations();
      echo daybook_describe_state(daybook_settings())[1];`),
    'Verbunden. Besuche werden gezählt.',
  );
  const nonce = /name="_wpnonce" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const form = (fields: Record<string, string>) =>
    new URLSearchParams({ option_page: 'daybook', action: 'update', _wpnonce: nonce, ...fields });
  const save = (cookie: string, fields: Record<string, string>) =>
    ask(wordpress, '/wp-admin/options.php', { method: 'POST', cookie, body: form(fields) });
  const stored = (): Settings => JSON.parse(wordpress.run(`echo wp_json_encode(daybook_settings());`));
  const before = stored();

  assert.equal((await save(ben, { 'daybook[domain]': 'ben.example' })).status, 403);
  assert.equal((await save(ann, { 'daybook[domain]': 'ben.example', _wpnonce: 'wrong' })).status, 403);
  assert.deepEqual(stored(), before);

  const wrong = { 'daybook[server]': 'javascript:alert(1)', 'daybook[domain]': '"><b>', 'daybook[share]': 'x' };
  assert.equal((await save(ann, { ...wrong, 'daybook[address_header]': 'X-Evil' })).status, 302);
  const { server, domain, share, address_header, outbound, excluded_roles } = stored();
  assert.deepEqual([server, domain, share], [before.server, before.domain, before.share]);
  assert.deepEqual([address_header, outbound, excluded_roles], ['', false, []]);
  assert.equal(stored().token, token);

  await save(ann, {
    'daybook[server]': String(before.server),
    'daybook[domain]': 'example.com',
    'daybook[token]': '1|dbk_wrong',
  });
  assert.match(await read(wordpress, path, { cookie: ann }), /daybook does not know this token/);
  // The stored token does not go to another server.
  const elsewhere = `http://127.0.0.1:${wordpress.port}`;
  await save(ann, { 'daybook[server]': elsewhere, 'daybook[domain]': 'example.com' });
  assert.deepEqual([stored().server, stored().token], [elsewhere, '']);
  assert.deepEqual(wordpress.faults(), []);
});

test('WordPress: the reports are shown in a frame to those who edit', { skip }, async (t) => {
  const { wordpress, server } = await stage(t);
  const [ann, ben] = [await signIn(wordpress, 'ann'), await signIn(wordpress, 'ben')];
  const path = '/wp-admin/index.php?page=daybook-statistics';
  assert.ok((await read(wordpress, path, { cookie: ann })).includes(`src="${server}/share/abc"`));
  assert.equal((await ask(wordpress, path, { cookie: ben })).status, 403);
});

test('WordPress: each crawler counts and no browser does, also while permalinks are plain', { skip }, async (t) => {
  const { daybook, wordpress } = await stage(t);
  const { port, temporary, run } = wordpress;
  const { script } = await findRoutes(wordpress);
  const expected: Record<string, number> = {};
  const some = CRAWLER_AGENTS.slice(0, 5);
  for (const { id, agent } of some) {
    await visit(port, '/page/?q=1', agent);
    expected[`${id} /page`] = 1;
  }
  for (const agent of PEOPLE) await visit(port, '/page/', agent);
  await visit(port, script, 'GPTBot');
  await visit(port, '/wp-includes/js/missing.js', 'GPTBot');
  run(`update_option('permalink_structure', '');`);
  // The first one goes at once and the others wait for the pause to be over, which is when the file says so.
  const waiting = join(temporary, readdirSync(temporary).find((name) => name.startsWith('daybook-')) ?? '');
  writeFileSync(waiting, readFileSync(waiting, 'utf8').replace(/^\d+/, '1'));
  await visit(port, '/?p=1&x=2', 'GPTBot');
  assert.deepEqual(crawledNow(daybook.db), { ...expected, 'gptbot /': 1 });
});

test('WordPress: an order counts once, with its total and currency', { skip }, async (t) => {
  const { wordpress } = await stage(t);
  const addOrder = (total: string, status: string) =>
    wordpress.run(
      `echo wp_insert_post(['post_title' => 'order', 'post_status' => 'publish', 'meta_input' => ['total' => '${total}', 'currency' => 'EUR', 'status' => '${status}']]);`,
    );
  const [paid, failed] = [addOrder('59.85', 'processing'), addOrder('10', 'failed')];
  const thank = async (order: string, cookie = '') =>
    /daybook\("order", (\{.*\})\)/.exec(await read(wordpress, `/?order=${order}`, { cookie }))?.[1];
  assert.equal(await thank(paid, await signIn(wordpress, 'ann')), undefined);
  assert.deepEqual(JSON.parse((await thank(paid)) ?? ''), { revenue: { amount: 59.85, currency: 'EUR' } });
  assert.equal(await thank(paid), undefined);
  assert.equal(await thank(failed), undefined);
  change(wordpress, { orders: false });
  assert.equal(await thank(addOrder('10', 'processing')), undefined);
});

test('WordPress: while the server is down, pages and messages are answered, and the settings say so', {
  skip,
}, async (t) => {
  const { daybook, wordpress, stopServer } = await stage(t);
  const { script, messages } = await findRoutes(wordpress);
  await stopServer();
  for (let n = 0; n < 2; n++) {
    assert.equal((await ask(wordpress, messages, { method: 'POST', body: PAGE })).status, 202);
  }
  assert.match(await read(wordpress, script), /navigator\.webdriver/);
  assert.match(wordpress.run('echo daybook_describe_state(daybook_settings())[1];'), /^The server does not answer: /);
  assert.deepEqual(readHits(daybook), []);
  // Without a stored copy, no request for the script waits for the server. It is asked again after a pause.
  const asks = (more = '') =>
    wordpress.run(`delete_option('daybook_script'); ${more} $asked = 0;
      add_filter('pre_http_request', function ($given) use (&$asked) { $asked++; return new WP_Error('down', 'down'); });
      for ($n = 0; $n < 3; $n++) daybook_script(daybook_settings()); echo $asked;`);
  assert.deepEqual([asks(), asks("delete_option('daybook_failure');")], ['0', '1']);
});

const LEFT = `global $wpdb;
  foreach ($wpdb->get_col("SELECT option_name || option_value FROM $wpdb->options WHERE option_name || option_value LIKE '%daybook%'") as $one) echo $one, "\\n";
  foreach ($wpdb->get_col("SELECT meta_key FROM $wpdb->postmeta WHERE meta_key LIKE '%daybook%'") as $one) echo $one, "\\n";`;
// WordPress itself notes which plugins were active lately.
const REMOVE = `deactivate_plugins('daybook/daybook.php'); uninstall_plugin('daybook/daybook.php'); delete_site_option('recently_activated'); delete_option('recently_activated');`;

test('WordPress: after the plugin is deleted, nothing of it is left', { skip }, async (t) => {
  const { wordpress } = await stage(t);
  await visit(wordpress.port, '/', 'GPTBot');
  wordpress.run(`update_post_meta(1, '_daybook_counted', 1);`);
  assert.match(wordpress.run(LEFT), /daybook_route/);
  wordpress.run(REMOVE);
  assert.equal(wordpress.run(LEFT), '');
  assert.deepEqual(
    readdirSync(wordpress.temporary).filter((name) => name.startsWith('daybook')),
    [],
  );
  assert.deepEqual(wordpress.faults(), []);
});

test('WordPress: each website of a network has its own settings, and all are deleted', { skip }, async (t) => {
  const { daybook, server, token, wordpress } = await stage(t, true);
  const inSecond = (code: string) => wordpress.run(`switch_to_blog(2); ${code}`);
  wordpress.run(`wpmu_create_blog('127.0.0.1:${wordpress.port}', '/second/', 'Second', 1);`);
  change(wordpress, { server, domain: 'example.com', token });
  const { messages } = await findRoutes(wordpress);
  assert.equal((await ask(wordpress, messages, { method: 'POST', body: PAGE })).status, 202);
  await waitForHits(daybook, 1);
  assert.equal(inSecond(`echo daybook_settings()['server'], daybook_settings()['token'];`), '');
  inSecond(`update_option('daybook', ['server' => 'https://stats.example.com']); daybook_route();`);
  assert.match(inSecond(LEFT), /daybook_route/);
  // The token of wp-config.php does not go to a server that a website of the network chose.
  const withToken = (more: string) =>
    inSecond(
      `define('DAYBOOK_TOKEN', 'shared'); ${more} $now = daybook_settings(); echo $now['server'], ' ', $now['token'];`,
    );
  assert.equal(withToken(''), 'https://stats.example.com ');
  assert.equal(withToken("define('DAYBOOK_SERVER', 'https://own.example');"), 'https://own.example shared');
  wordpress.run(REMOVE);
  assert.equal(wordpress.run(LEFT), '');
  assert.equal(inSecond(LEFT), '');
  assert.deepEqual(wordpress.faults(), []);
});
