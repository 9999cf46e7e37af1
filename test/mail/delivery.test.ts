import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { SMTPServerOptions } from 'smtp-server';
import { startApp, type TestApp } from '../support/helpers.ts';
import { ANN, invite, lastOf, linkIn, logged, mailTo } from './inviting.ts';
import { mailServer } from './server.ts';

/** The invitation is good although its mail was not sent. The log says why without giving it away. */
async function assertNotSent(app: TestApp, link: string, reason: RegExp): Promise<void> {
  await app.post.settle();
  const [line, ...more] = logged(app, 'e-mail not sent. To test the mail server, run daybook doctor');
  assert.match(String(line?.reason), reason);
  assert.deepEqual(more, []);
  assert.deepEqual(logged(app, 'e-mail sent'), []);
  assert.ok(!app.log.join('').includes(lastOf(link)));
  assert.equal((await app.ask('HEAD', new URL(link).pathname)).status, 200);
}

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
  assert.notEqual(linkIn(await server.next()), link);
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
    assert.notEqual(linkIn(mail), link, scheme);
    assert.equal(tries, 1, scheme);
  }
});

test('STARTTLS may be left aside for a mail server on the same machine', async (t) => {
  const server = await mailServer(t, TLS);
  const app = await startApp(t, mailTo(server.port, '?ignoreTLS=true'));
  const link = await invite(app.owner, ANN);
  const mail = await server.next();
  assert.ok(!mail.secure);
  assert.notEqual(linkIn(mail), link);
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

test('a refusal that quotes the address of the recipient does not bring it into the log', async (t) => {
  let words = '';
  const server = await mailServer(t, {
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error(words), { responseCode: 550 })),
  });
  const app = await startApp(t, mailTo(server.port));
  const email = 'ann.o-neil@mail.neil.example';
  for (const quoted of [
    `5.1.1 <${email}>: Recipient address rejected: unknown user`,
    `5.1.1 ${email.toUpperCase()}... unknown user`,
    `5.1.1 mailto:${email} unknown user`,
    '5.1.1 ann.o-neil unknown user',
    '5.1.1 "ann.o-neil" at mail.neil.example: unknown user',
    '5.1.1 RCPT=ann.o-neil%40mail.neil.example unknown user',
    '5.1.1 ann.o-neil+40mail.neil.example unknown user',
    '5.1.1 SRS0=x=mail.neil.example=ann.o-neil@relay.example unknown user',
    '5.1.1 "Ann O Neil"@mail.neil.example unknown user',
    '5.1.1 (ann.o-neil&#64;mail.neil.example) unknown user',
  ]) {
    words = quoted;
    app.log.length = 0;
    // An address gets a few invitations a day only.
    app.clock.pass(86_400);
    await invite(app.owner, email);
    await app.post.settle();
    const text = app.log.join('');
    assert.doesNotMatch(text, /neil|@/i, quoted);
    assert.match(text, /5\.1\.1.*unknown user/, quoted);
  }
});
