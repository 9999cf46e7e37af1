import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { makeLinkSecret } from '../../src/lib/secrets.ts';
import { seconds } from '../../src/lib/time.ts';
import { addSession } from '../../src/store/people/sessions.ts';
import { addUser } from '../../src/store/people/users.ts';
import { emptyApp, startApp } from '../support/helpers.ts';
import { answersIn, bootIn, PLACES, POLICY, policyOf } from './boot.ts';

test('the bare address of a new server says where the link for setting it up is, and does not give it away', async (t) => {
  const app = await emptyApp(t);
  for (const place of PLACES) {
    const { status, headers, text } = await app.ask('GET', place);
    assert.equal(status, 200, place);
    assert.equal(headers.get('Content-Type'), 'text/html; charset=utf-8');
    assert.match(text, /This server is not set up yet\. Open the link from the terminal in which you started it/);
    assert.ok(!text.includes(app.setupSecret));
    assert.ok(!text.includes('/setup/'));
  }
});

test('whoever is not signed in is sent to sign in, and from there to where they wanted to go', async (t) => {
  const app = await startApp(t);
  const bare = await app.ask('GET', '/');
  assert.deepEqual([bare.status, bare.headers.get('Location'), bare.text], [303, '/sign-in', '']);
  assert.equal(bare.headers.get('Cache-Control'), 'no-store');
  const query = '?range=7d&filters%5Bpage%5D=%2Fa%26b';
  for (const place of PLACES.slice(1)) {
    const answer = await app.ask('GET', place + query);
    assert.equal(answer.status, 303, place);
    const location = new URL(answer.headers.get('Location') ?? '', 'http://localhost');
    assert.deepEqual([location.pathname, [...location.searchParams.keys()]], ['/sign-in', ['next']]);
    assert.equal(location.searchParams.get('next'), place + query);
    const form = await app.ask('GET', location.pathname + location.search);
    assert.ok(
      form.text.includes(`<input name="next" type="hidden" value="${(place + query).replaceAll('&', '&amp;')}">`),
    );
  }
});

test('whoever is signed in gets the page of the dashboard, wherever in it they go', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const texts = new Set<string>();
  for (const place of [...PLACES, '/sites/nobodys.example']) {
    const answer = await app.ask('GET', place, { cookie });
    assert.equal(answer.status, 200, place);
    assert.deepEqual(bootIn(answer.text), {
      share: null,
      email: 'owner@example.com',
      server: true,
      cluster: false,
      factors: false,
      hasPassword: true,
      provider: null,
      mails: false,
      isPublicDemo: false,
      language: 'en',
    });
    assert.deepEqual(policyOf(answer), POLICY, place);
    const { headers } = answer;
    assert.equal(headers.get('Cache-Control'), 'no-store');
    assert.equal(headers.get('X-Content-Type-Options'), 'nosniff');
    assert.equal(headers.get('Cross-Origin-Opener-Policy'), 'same-origin');
    assert.equal(headers.get('Referrer-Policy'), 'same-origin');
    assert.equal(headers.get('X-Robots-Tag'), 'noindex');
    assert.equal(headers.get('Set-Cookie'), null);
    if (place === '/sites/example.com') assert.ok('/api/v1/sites/example.com' in answersIn(answer.text));
    else texts.add(answer.text);
  }
  // A site that does not exist looks like any other page.
  assert.equal(texts.size, 1);
});

test('only whoever set the server up is told of the page about it, and everybody whether mails are sent', async (t) => {
  const mail = { 'smtp-url': 'smtp://127.0.0.1:9', 'mail-from': 'daybook@example.com' };
  for (const [settings, mails] of [
    [{}, false],
    [mail, true],
  ] as const) {
    const app = await startApp(t, settings);
    for (const person of [app.owner, app.manager, app.viewer, app.stranger]) {
      const { text } = await app.ask('GET', '/', { cookie: await app.signIn(person) });
      assert.deepEqual(bootIn(text), {
        share: null,
        email: person.email,
        server: person === app.owner,
        cluster: false,
        factors: false,
        hasPassword: true,
        provider: null,
        mails,
        isPublicDemo: false,
        language: 'en',
      });
    }
  }
});

test('the page runs no script but its own file, which the policy would not let it anyway', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const slug = await app.share(app.owner, app.siteId);
  for (const { text } of [await app.ask('GET', '/', { cookie }), await app.ask('GET', `/share/${slug}`)]) {
    const scripts = [...text.matchAll(/<script\b([^>]*)>([^<]*)/g)].map(([, attributes = '', inside = '']) => [
      attributes.replace(/-\w+\.js/, ''),
      inside === '' ? '' : 'data',
    ]);
    assert.deepEqual(scripts, [
      [' type="module" src="/assets/chunk"', ''],
      [' type="application/json" id="answers"', 'data'],
      [' type="application/json" id="boot"', 'data'],
    ]);
    assert.doesNotMatch(text, /\son\w+=|\sstyle=|<style|<iframe|<base|javascript:/i);
    for (const [, target = ''] of text.matchAll(/\s(?:href|src)="([^"]*)"/g))
      assert.match(target, /^(?:\/assets\/|data:)/);
  }
});

test('what the page says to its script cannot end the element that it stands in', async (t) => {
  const app = await emptyApp(t);
  const odd = `</script><script>alert(1)</script><!--<script>'"&\u2028@example.com`;
  const secret = makeLinkSecret(randomBytes);
  const userId = app.db.write(() => {
    const { id } = addUser(app.db, { email: odd, password: null, now: 0 });
    addSession(app.db, { userId: id, secret, browser: 'Test', now: seconds(app.clock) });
    return id;
  });
  const { text } = await app.ask('GET', '/', { cookie: `daybook=${secret}` });
  assert.deepEqual(bootIn(text), {
    share: null,
    email: odd,
    server: true,
    cluster: false,
    factors: false,
    hasPassword: false,
    provider: null,
    mails: false,
    isPublicDemo: false,
    language: 'en',
  });
  assert.equal(text.match(/<script/g)?.length, 3);
  assert.equal(text.match(/<!--/g), null);

  const domain = `</title></script><script>alert(1)</script>.example`;
  const account = app.db.one<{ id: number }>('SELECT id FROM account WHERE user_id = ?', userId);
  const siteId = app.site({ id: userId, email: odd, password: null, accountId: account?.id ?? 0 }, domain);
  app.db.run(`UPDATE site SET share_slug = 'slug' WHERE id = ?`, siteId);
  const shared = await app.ask('GET', '/share/slug');
  assert.deepEqual(bootIn(shared.text), {
    share: {
      slug: 'slug',
      domain,
      timeZone: 'UTC',
      mainGoal: null,
      currency: null,
      dimensionsOff: ['region', 'city'],
      hasSearches: false,
    },
    email: null,
    server: false,
    cluster: false,
    factors: false,
    hasPassword: false,
    provider: null,
    mails: false,
    isPublicDemo: false,
    language: 'en',
  });
  assert.equal(shared.text.match(/<script/g)?.length, 3);
  assert.match(shared.text, /<title>&lt;\/title&gt;&lt;\/script&gt;.* · daybook<\/title>/);
});

test('what is no place of the dashboard is not found, signed in or not', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  for (const path of [
    '/sites',
    '/sites/',
    '/sites/example.com/other',
    '/account/a/b',
    '/accounts',
    '/index.html',
    '/live',
    '/share',
  ]) {
    for (const asking of [{}, { cookie }]) assert.equal((await app.ask('GET', path, asking)).status, 404, path);
  }
});

test('every place takes GET, HEAD and OPTIONS, and nothing else', async (t) => {
  const app = await startApp(t);
  const cookie = await app.signIn(app.owner);
  const seen = await app.ask('GET', '/', { cookie });
  const head = await app.ask('HEAD', '/', { cookie });
  assert.deepEqual([head.status, head.text], [200, '']);
  assert.equal(head.headers.get('Content-Length'), seen.headers.get('Content-Length'));
  for (const path of [...PLACES, '/share/x', '/assets/x']) {
    assert.equal((await app.ask('OPTIONS', path)).headers.get('Allow'), 'GET, HEAD, OPTIONS', path);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, body } = await app.ask(method, path, { cookie, body: {} });
      assert.deepEqual([status, body.error.code], [405, 'method_not_allowed'], `${method} ${path}`);
    }
  }
});
