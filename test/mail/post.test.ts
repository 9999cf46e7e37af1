import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { SMTPServerOptions } from 'smtp-server';
import { DAY } from '../../src/lib/time.ts';
import { changePlan } from '../../src/store/accounts.ts';
import { findPlan, setPlan } from '../../src/store/plans.ts';
import { emptyApp, type Person, startApp, type TestApp } from '../helpers.ts';
import { type Mail, mailServer } from './server.ts';

const FROM = 'daybook@example.com';
const ANN = 'ann@example.com';

const mailTo = (port: number, rest = '') => ({ 'smtp-url': `smtp://127.0.0.1:${port}${rest}`, 'mail-from': FROM });

/** Takes a mail apart. It must have no parts, and each header once. */
function read({ source }: Mail): { headers: Record<string, string>; text: string } {
  const cut = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, cut)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => [line.slice(0, line.indexOf(': ')).toLowerCase(), line.slice(line.indexOf(': ') + 2)] as const);
  const headers = Object.fromEntries(lines);
  assert.equal(Object.keys(headers).length, lines.length);
  let text = source.slice(cut + 4);
  if (headers['content-transfer-encoding'] === 'quoted-printable') {
    text = text
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
  return { headers, text: text.replaceAll('\r\n', '\n') };
}

/** Invites and gives the link, which must be in the answer whatever becomes of the mail. */
async function invite(by: Person, email: string, role = 'viewer'): Promise<string> {
  const { status, body } = await by.ask('POST', '/team', { email, role });
  assert.equal(status, 201);
  assert.match(body.data.invitation_url, /^https?:\/\/.+\/invite\/[0-9A-Za-z]{43}$/);
  return body.data.invitation_url;
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const logged = ({ log }: TestApp, event: string) =>
  log.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line.event === event);

/** The invitation is good although its mail was not sent, and the log says why without giving it away. */
async function assertNotSent(app: TestApp, link: string, reason: RegExp): Promise<void> {
  await app.post.settle();
  const [line, ...more] = logged(app, 'mail not sent; daybook doctor tests the mail server');
  assert.match(String(line?.reason), reason);
  assert.deepEqual(more, []);
  assert.deepEqual(logged(app, 'mail sent'), []);
  assert.ok(!app.log.join('').includes(lastOf(link)));
  const { status } = await app.ask('POST', new URL(link).pathname, { body: { password: 'correct horse' } });
  assert.equal(status, 200);
}

test('inviting sends one plain mail with the link that is in the answer', async (t) => {
  const server = await mailServer(t);
  const app = await startApp(t, mailTo(server.port));
  const link = await invite(app.owner, 'Ann@Example.com');
  const mail = await server.next();
  assert.equal(mail.from, FROM);
  assert.deepEqual(mail.to, [ANN]);

  const { headers, text } = read(mail);
  assert.equal(headers.from, FROM);
  assert.equal(headers.to, ANN);
  assert.equal(headers.subject, 'You are invited to a daybook account');
  assert.match(headers['content-type'] ?? '', /^text\/plain; charset=utf-8/);
  assert.ok(text.split('\n').includes(link));
  assert.match(text, /owner@example\.com invites you to their web statistics, as viewer/);
  assert.doesNotMatch(text, /<\w/);

  await app.post.settle();
  assert.equal(server.mails.length, 1);
  assert.equal(logged(app, 'mail sent').length, 1);
  assert.ok(!app.log.join('').includes(lastOf(link)));
});

test('a long link comes whole, and a sender may have a name', async (t) => {
  const server = await mailServer(t);
  const base = `https://${'statistics-'.repeat(5)}of.${'department-'.repeat(5)}one.example.com`;
  const settings = { ...mailTo(server.port), 'mail-from': 'Daybook <daybook@example.com>', 'base-url': base };
  const app = await startApp(t, settings);
  const link = await invite(app.owner, "o'brien+x=3D@example.com");
  assert.ok(link.startsWith(`${base}/invite/`));
  const mail = await server.next();
  assert.equal(mail.from, FROM);
  assert.deepEqual(mail.to, ["o'brien+x=3d@example.com"]);
  const { headers, text } = read(mail);
  assert.equal(headers.from, 'Daybook <daybook@example.com>');
  assert.ok(text.split('\n').includes(link));
});

test('renewing sends another mail, and nothing else about a team sends any', async (t) => {
  const server = await mailServer(t);
  const app = await startApp(t, mailTo(server.port));
  const first = await invite(app.owner, ANN);
  assert.ok(read(await server.next()).text.includes(first));
  const second = await invite(app.owner, ANN, 'manager');
  assert.notEqual(second, first);
  const { text } = read(await server.next());
  assert.ok(text.includes(second) && !text.includes(first));
  assert.match(text, /as manager/);

  const team = await app.owner.ask('GET', '/team');
  const { id } = team.body.data.members.find(({ email }: { email: string }) => email === ANN);
  assert.equal((await app.owner.ask('PATCH', `/team/${id}`, { role: 'viewer' })).status, 200);
  assert.equal((await app.ask('GET', new URL(second).pathname)).status, 200);
  assert.equal((await app.ask('POST', new URL(second).pathname, { body: { password: 'correct horse' } })).status, 200);
  assert.equal((await app.owner.ask('DELETE', `/team/${id}`)).status, 204);
  await app.post.settle();
  assert.equal(server.mails.length, 2);
});

test('the answer does not wait for the mail server, but settling does', async (t) => {
  const released = Promise.withResolvers<void>();
  const arrived = new EventEmitter();
  const server = await mailServer(t, {
    onData(stream, _session, done) {
      stream.resume();
      stream.on('end', () => {
        arrived.emit('mail');
        void released.promise.then(() => done());
      });
    },
  });
  const app = await startApp(t, mailTo(server.port));
  let count = 0;
  const both = new Promise<void>((resolve) => arrived.on('mail', () => ++count === 2 && resolve()));
  await invite(app.owner, ANN);
  await invite(app.stranger, ANN);
  let isSettled = false;
  const settling = app.post.settle().then(() => {
    isSettled = true;
  });
  await both;
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(!isSettled);
  assert.deepEqual(logged(app, 'mail sent'), []);
  released.resolve();
  await settling;
  assert.equal(logged(app, 'mail sent').length, 2);
});

test('settling without anything under way is done at once', async (t) => {
  const server = await mailServer(t);
  for (const settings of [{}, mailTo(server.port)]) {
    const { post } = await emptyApp(t, settings);
    await post.settle();
    await post.settle();
  }
  assert.equal(server.mails.length, 0);
});

test('a recipient whom the mail server refuses is invited all the same', async (t) => {
  const server = await mailServer(t, {
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('no such mailbox here'), { responseCode: 550 })),
  });
  const app = await startApp(t, mailTo(server.port));
  await assertNotSent(app, await invite(app.owner, ANN), /550 no such mailbox here/);
  assert.equal(server.mails.length, 0);
});

async function listening(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('a mail server that is not there, hangs up or refuses everybody keeps nobody from inviting', async (t) => {
  const closed = createServer();
  const port = await listening(t, closed);
  closed.close();
  await once(closed, 'close');
  const absent = await startApp(t, mailTo(port));
  await assertNotSent(absent, await invite(absent.owner, ANN), /ECONNREFUSED/);

  const rude = await startApp(
    t,
    mailTo(
      await listening(
        t,
        createServer((socket) => socket.destroy()),
      ),
    ),
  );
  await assertNotSent(rude, await invite(rude.owner, ANN), /./);

  const full = createServer((socket) => socket.end('554 go away\r\n'));
  const refused = await startApp(t, mailTo(await listening(t, full)));
  await assertNotSent(refused, await invite(refused.owner, ANN), /554 go away/);
});

test('a mail server that never says a word is given up', async (t) => {
  const silent = createServer((socket) => socket.on('error', () => {}));
  const app = await startApp(t, mailTo(await listening(t, silent)));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const connecting = once(silent, 'connection');
  const link = await invite(app.owner, ANN);
  const [socket] = await connecting;
  t.after(() => socket.destroy());
  let passed = 0;
  // The client arms its timer a few turns after the server has seen it; no real second passes here.
  while (app.log.length === 0 && passed < 60_000) {
    await new Promise((resolve) => setImmediate(resolve));
    t.mock.timers.tick(100);
    passed += 100;
  }
  t.mock.timers.reset();
  assert.ok(passed <= 20_000, `given up after ${passed} ms`);
  await assertNotSent(app, link, /Greeting never received/);
});

test('a mail server that wants a password is given the one in the URL, decoded', async (t) => {
  const given: (string | null | undefined)[][] = [];
  const server = await mailServer(t, {
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      given.push([username, password]);
      if (password === 'p@ss:w/rd') done(null, { user: username });
      else done(new Error('Invalid username or password'));
    },
  });
  const url = (user: string) => ({ ...mailTo(server.port), 'smtp-url': `smtp://${user}127.0.0.1:${server.port}` });

  const none = await startApp(t, url(''));
  await assertNotSent(none, await invite(none.owner, ANN), /authentication required/i);
  assert.deepEqual(given, []);

  const wrong = await startApp(t, url('daybook:mistyped@'));
  await assertNotSent(wrong, await invite(wrong.owner, ANN), /Invalid login/);
  assert.deepEqual(given.pop(), ['daybook', 'mistyped']);
  assert.ok(!wrong.log.join('').includes('mistyped'));
  assert.equal(server.mails.length, 0);

  const right = await startApp(t, url('day%40book:p%40ss%3Aw%2Frd@'));
  const link = await invite(right.owner, ANN);
  assert.ok(read(await server.next()).text.includes(link));
  assert.deepEqual(given, [['day@book', 'p@ss:w/rd']]);
});

/** For localhost and 127.0.0.1, signed by itself, until 2126. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUeDuSS0zCn9VbGh5z9UeliecUNaEwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA4MzE0N1oYDzIxMjYxMDI4
MDgzMTQ3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASiv/q71e/m2j9yoSDPHyq+1wgYHBj6O2r16ZP7JOT/dmmHckkWMfs1
gteL+VerHJxRxqUzyYp5iqDtIhufcOApo28wbTAdBgNVHQ4EFgQUTdZSLIRi7Q8l
eL6D8E9hWtvXbHgwHwYDVR0jBBgwFoAUTdZSLIRi7Q8leL6D8E9hWtvXbHgwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAJa2jFs3aKR/5ElDpDEWpu7rm9zHUnV2d9zXQfrpURivAiEA
+XRJHAPkg0kj6K3SP/uwcK1007r7idw0G3NOicP6YcY=
-----END CERTIFICATE-----`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgji2CqcGRveudOnEx
Wt9Ygd9dHl0Y8e1l8NYuJlUVBMKhRANCAASiv/q71e/m2j9yoSDPHyq+1wgYHBj6
O2r16ZP7JOT/dmmHckkWMfs1gteL+VerHJxRxqUzyYp5iqDtIhufcOAp
-----END PRIVATE KEY-----`;
const TLS: SMTPServerOptions = { cert: CERTIFICATE, key: KEY, disabledCommands: [] };

test('a certificate that nobody vouches for is not trusted, neither with a mail nor with a password', async (t) => {
  for (const secure of [false, true]) {
    let tries = 0;
    const server = await mailServer(t, {
      ...TLS,
      secure,
      onAuth(_auth, _session, done) {
        tries++;
        done(null, { user: 'daybook' });
      },
    });
    const scheme = secure ? 'smtps' : 'smtp';
    const url = `${scheme}://daybook:secret@127.0.0.1:${server.port}`;
    const careful = await startApp(t, { ...mailTo(server.port), 'smtp-url': url });
    await assertNotSent(careful, await invite(careful.owner, ANN), /self-signed certificate/);
    assert.equal(tries, 0, scheme);
    assert.equal(server.mails.length, 0, scheme);

    // The way out for an operator who knows that server.
    const trusting = await startApp(t, { ...mailTo(server.port), 'smtp-url': `${url}?tls.rejectUnauthorized=false` });
    const link = await invite(trusting.owner, ANN);
    const mail = await server.next();
    assert.ok(mail.secure, scheme);
    assert.ok(read(mail).text.includes(link), scheme);
    assert.equal(tries, 1, scheme);
  }
});

test('STARTTLS may be left aside for a mail server on the same machine', async (t) => {
  const server = await mailServer(t, TLS);
  const app = await startApp(t, mailTo(server.port, '?ignoreTLS=true'));
  const link = await invite(app.owner, ANN);
  const mail = await server.next();
  assert.ok(!mail.secure);
  assert.ok(read(mail).text.includes(link));
});

test('a refusal that quotes the mail does not bring the link into the log', async (t) => {
  const server = await mailServer(t, {
    onData(stream, _session, done) {
      let source = '';
      stream.on('data', (chunk) => {
        source += chunk;
      });
      stream.on('end', () => {
        const [url] = /https?:\S+/.exec(source.replaceAll('=\r\n', '')) ?? [];
        done(Object.assign(new Error(`5.7.1 blocked link ${url}`), { responseCode: 554 }));
      });
    },
  });
  const app = await startApp(t, mailTo(server.port));
  await assertNotSent(app, await invite(app.owner, ANN), /554/);
});

test('without a mail server the link is in the answer and in one line for the operator', async (t) => {
  const app = await startApp(t);
  const link = await invite(app.owner, ANN);
  await app.post.settle();
  assert.equal(app.log.length, 1);
  const [line] = logged(app, 'invitation made; there is no mail server, so pass the link on');
  assert.equal(line?.url, link);
  assert.equal((await app.ask('POST', new URL(link).pathname, { body: { password: 'correct horse' } })).status, 200);
  assert.equal(app.log.length, 1);
});

test('an account has twenty mails a day; the link of the next is in its answer only', async (t) => {
  const server = await mailServer(t);
  const app = await startApp(t, mailTo(server.port));
  for (let i = 1; i <= 20; i++) await invite(app.owner, `guest${i}@example.com`);
  await app.post.settle();
  assert.equal(server.mails.length, 20);

  const NOT_MAILED = 'invitation not mailed: the account has sent its mails of today; its owner can pass the link on';
  assert.deepEqual(logged(app, NOT_MAILED), []);
  const late = await invite(app.owner, 'late@example.com');
  // Renewing is no way around it.
  await invite(app.owner, 'guest1@example.com');
  await app.post.settle();
  assert.equal(server.mails.length, 20);
  assert.deepEqual(
    logged(app, NOT_MAILED).map(({ account }) => account),
    [app.owner.accountId, app.owner.accountId],
  );
  assert.ok(!app.log.join('').includes(lastOf(late)));
  assert.equal((await app.ask('POST', new URL(late).pathname, { body: { password: 'correct horse' } })).status, 200);

  const other = await invite(app.stranger, ANN);
  await app.post.settle();
  assert.equal(server.mails.length, 21);
  assert.ok(read(server.mails[20] as Mail).text.includes(other));

  app.clock.pass(DAY - 1);
  await invite(app.owner, 'early@example.com');
  await app.post.settle();
  assert.equal(server.mails.length, 21);
  app.clock.pass(1);
  await invite(app.owner, 'tomorrow@example.com');
  await app.post.settle();
  assert.equal(server.mails.length, 22);
  assert.deepEqual(server.mails[21]?.to, ['tomorrow@example.com']);
});

/** What could become another recipient or header, and what is no address at all. */
const HOSTILE = [
  'ann@example.com\r\nBcc: eve@example.com',
  'ann@example.com\nBcc: eve@example.com',
  'ann@example.com\r\n\r\nHello',
  'ann@example.com\r',
  'ann@example.com\n',
  '\nann@example.com',
  'ann\r\n@example.com',
  'ann@exam\rple.com',
  'ann@example.com%0aBcc:eve@example.com',
  'ann@example.com%0d%0aBcc:eve@example.com',
  'ann@example.com\u2028Bcc: eve@example.com',
  'ann@example.com\u2029',
  'ann@example.com\u0085',
  'ann@example.com\u0000',
  'ann@example.com\u000b',
  'ann@example.com,eve@example.com',
  'ann@example.com, eve@example.com',
  'ann@example.com;eve@example.com',
  'ann@example.com eve@example.com',
  'group:ann@example.com,eve@example.com;',
  'ann(comment)@example.com',
  '(eve@example.com) ann@example.com',
  'ann@example.com (Ann)',
  '"ann"@example.com',
  '"ann@evil.example.com"@example.com',
  'Ann <ann@example.com>',
  '"Ann" <ann@example.com>',
  '<ann@example.com>',
  'ann@example.com>',
  'ann@eve@example.com',
  'ann\\@eve@example.com',
  'ann@[127.0.0.1]',
  'ann@127.0.0.1',
  'ann@1.2',
  'ann@0x10',
  'ann@example.com:25',
  ' ann@example.com',
  'ann@example.com ',
  'ann@example.com\t',
  'änn@example.com',
  'ann@exämple.com',
  'ann＠example.com',
  'ann@example．com',
  '@example.com',
  'ann@',
  'ann',
  '',
  `${'a'.repeat(65)}@example.com`,
  `ann@${'a.'.repeat(124)}example.com`,
  ['ann@example.com'],
  ['ann@example.com', 'eve@example.com'],
  { address: 'ann@example.com' },
  null,
];

test('an address that could become another recipient or header is refused, and nothing reaches the mail server', async (t) => {
  const server = await mailServer(t);
  const app = await startApp(t, mailTo(server.port));
  for (const email of HOSTILE) {
    const { status, body } = await app.owner.ask('POST', '/team', { email, role: 'viewer' });
    assert.equal(status, 422, JSON.stringify(email));
    assert.deepEqual(Object.keys(body.error.fields), ['email'], JSON.stringify(email));
  }
  await app.post.settle();
  assert.equal(server.mails.length, 0);
  assert.deepEqual(app.log, []);
  // It would have come, had there been one.
  await invite(app.owner, ANN);
  assert.deepEqual((await server.next()).to, [ANN]);
});

const HEADERS = 'content-transfer-encoding content-type date from message-id mime-version subject to'.split(' ');

test('whatever address is taken, the mail goes to it alone and has no header more', async (t) => {
  const server = await mailServer(t);
  const app = await startApp(t, mailTo(server.port));
  const hostile = ['\r\n', '\u2028', '%0a', '=?utf-8?q?=0A?=', 'eve', ...".-aZ0,;:<>()@ '!#$%&*+/=?^_`{|}~"];
  const pieces = fc.constantFrom(...hostile);
  const safe = fc.constantFrom(..."abzAZ019.!#$%&'*+/=?^_`{|}~-");
  const address = fc.oneof(
    fc.tuple(
      fc.string({ unit: safe, minLength: 1, maxLength: 64 }),
      fc.constantFrom('example.com', 'b.c', '1.example', '-'),
    ),
    fc.tuple(
      fc.string({ unit: pieces, minLength: 1, maxLength: 8 }),
      fc.string({ unit: pieces, minLength: 1, maxLength: 4 }),
    ),
  );
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(address, async ([local, domain]) => {
      app.clock.pass(DAY);
      app.log.length = 0;
      server.mails.length = 0;
      const email = `${local}@${domain}`;
      const { status } = await app.owner.ask('POST', '/team', { email, role: 'viewer' });
      await app.post.settle();
      if (status === 422) return assert.deepEqual([app.log, server.mails], [[], []]);
      assert.equal(status, 201);
      taken++;
      // A mail server may have its own opinion of what is an address, and none may go anywhere else.
      assert.equal(app.log.length, 1);
      assert.equal(server.mails.length, logged(app, 'mail sent').length);
      for (const mail of server.mails) {
        const { headers } = read(mail);
        assert.deepEqual([mail.to, headers.to], [[email.toLowerCase()], email.toLowerCase()]);
        assert.deepEqual(Object.keys(headers).sort(), HEADERS);
      }
    }),
    // A mail takes a while, and mail programs read these domains as IPv4 addresses.
    { numRuns: 30, examples: [[['ann', '1.2']], [['ann', '0x10']], [['{ann}', 'example.com']]] },
  );
  assert.ok(taken > 0);
});

test('no mail is sent about a change that was not made', async (t) => {
  const server = await mailServer(t);
  const app = await startApp(t, mailTo(server.port));
  setPlan(app.db, 'small', { sites: null, members: 2, events: null });
  changePlan(app.db, app.owner.id, findPlan(app.db, 'small')?.id ?? 0);
  const full = await app.owner.ask('POST', '/team', { email: ANN, role: 'viewer' });
  assert.equal(full.status, 402);
  assert.equal(full.body.error.code, 'limit_reached');

  const readOnly = app.tokenOf(app.stranger, ['read']);
  const body = { email: ANN, role: 'viewer' };
  assert.equal((await app.ask('POST', '/api/v1/team', { token: readOnly, body })).status, 403);
  assert.equal((await app.ask('POST', '/api/v1/team', { body })).status, 401);
  for (const wrong of [
    { ...body, email: 'stranger@example.com' },
    { ...body, role: 'owner' },
    { ...body, x: 1 },
  ]) {
    assert.equal((await app.stranger.ask('POST', '/team', wrong)).status, 422);
  }
  assert.equal((await app.manager.ask('POST', '/team', { ...body, email: 'manager@example.com' })).status, 422);

  // Everything about inviting succeeds, and then it cannot be kept: this reference is looked at when all is done.
  app.db.run('CREATE TABLE probe (id INTEGER REFERENCES member (id) DEFERRABLE INITIALLY DEFERRED)');
  app.db.run('CREATE TRIGGER failing AFTER INSERT ON invitation BEGIN INSERT INTO probe VALUES (-1); END');
  assert.equal((await app.stranger.ask('POST', '/team', body)).status, 500);
  assert.deepEqual((await app.stranger.ask('GET', '/team')).body.data.members, []);
  await app.post.settle();
  assert.equal(server.mails.length, 0);
  app.db.run('DROP TRIGGER failing');
  await invite(app.stranger, ANN);
  assert.deepEqual((await server.next()).to, [ANN]);
  await app.post.settle();
  assert.equal(server.mails.length, 1);
});
