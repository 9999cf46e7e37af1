import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findUser, setPasswordLink } from '../../src/store/people/users.ts';
import { codeIn, linkIn, logged } from '../mail/inviting.ts';
import { mailServer } from '../mail/server.ts';
import { startApp } from '../support/helpers.ts';
import { form } from '../support/requests.ts';
import { invited, NEW, RIGHT, STRANGER, seen, WRONG } from './invited.ts';

const PASSWORD = 'correct horse';

/** Somebody is invited: the path of the link that whoever invites has, and that of the one in the mail. */
async function stage(t: TestContext, email = NEW) {
  const server = await mailServer(t);
  const app = await startApp(t, server.settings);
  const { path } = await invited(app.owner, email);
  const mailed = new URL(linkIn(await server.next())).pathname;
  /** Opens the link and gives the code that is mailed because of that. */
  const open = async () => {
    assert.equal((await app.ask('GET', path)).status, 200);
    const mail = await server.next();
    assert.deepEqual(mail.to, [email]);
    return codeIn(mail);
  };
  const send = (body: object, at = path) => app.ask('POST', at, { body });
  return { app, server, path, mailed, open, send };
}

const other = (code: string): string => (code === '000000' ? '000001' : '000000');

test('whoever invites cannot take the address with the link in the answer, and the invitee can with the one in the mail', async (t) => {
  const { app, server, path, mailed, send } = await stage(t);
  const taken = await send({ password: 'a password of the inviter' });
  assert.equal(taken.status, 422);
  assert.deepEqual(taken.body.error.fields, { code: 'Enter the code that was sent to new@example.com.' });
  assert.equal((await app.ask('POST', path, form({ password: 'a password of the inviter' }))).status, 422);
  assert.equal(findUser(app.db, NEW), undefined);
  assert.equal((await seen(app.owner, NEW)).status, 'invited');
  codeIn(await server.next());

  const { text } = await app.ask('GET', mailed);
  assert.doesNotMatch(text, /name="code"|could have used it/);
  assert.equal((await app.ask('POST', mailed, form({ password: PASSWORD }))).status, 303);
  assert.equal((await seen(app.owner, NEW)).status, 'active');
  // Either link is used up by that.
  for (const used of [path, mailed]) assert.equal((await app.ask('GET', used)).status, 404);
  await app.post.settle();
  assert.equal(server.mails.length, 2);
});

test('the link in the answer lets in whoever types the code that is mailed when it is opened', async (t) => {
  for (const asPage of [true, false]) {
    const { app, path, open, send } = await stage(t);
    const code = await open();
    const { text } = await app.ask('GET', path);
    assert.match(text, /<input name="code" inputmode="numeric" autocomplete="one-time-code"[^>]* required/);
    assert.match(text, /You will get a code at new@example\.com\./);
    assert.ok(!text.includes(code));
    // People type blanks into such codes.
    const fields = { password: PASSWORD, code: ` ${code.slice(0, 3)} ${code.slice(3)}` };
    const { status } = asPage ? await app.ask('POST', path, form(fields)) : await send(fields);
    assert.equal(status, asPage ? 303 : 200);
    assert.equal((await seen(app.owner, NEW)).status, 'active');
    assert.ok(!app.log.join('').includes(code));
  }
});

test('a wrong code lets nobody in, and after five of them the right one does not either', async (t) => {
  const { app, open, send } = await stage(t);
  const code = await open();
  for (let i = 1; i <= 5; i++) {
    const { status, body } = await send({ password: PASSWORD, code: other(code) });
    assert.equal(status, 422);
    const expected =
      i < 5
        ? 'This is not the code that was sent to new@example.com.'
        : 'This code has expired. Open the link again to get a new one.';
    assert.deepEqual(body.error.fields, { code: expected });
  }
  assert.equal((await send({ password: PASSWORD, code })).status, 422);
  assert.equal(findUser(app.db, NEW), undefined);
  const next = await open();
  assert.equal((await send({ password: PASSWORD, code: next })).status, 200);
});

test('tries at once count as many, and a password that is too short counts for none', async (t) => {
  const { open, send } = await stage(t);
  const code = await open();
  for (let i = 0; i < 10; i++) assert.equal((await send({ password: 'short', code })).status, 422);
  const tries = await Promise.all(Array.from({ length: 20 }, () => send({ password: PASSWORD, code: other(code) })));
  assert.ok(tries.every(({ status }) => status === 422));
  assert.equal((await send({ password: PASSWORD, code })).status, 422);
});

test('a code is good for 15 minutes, to the second, across a start of the server, and is mailed once in that time', async (t) => {
  const { app, server, path, open, send } = await stage(t);
  const code = await open();
  for (let i = 0; i < 5; i++) assert.equal((await app.ask('GET', path)).status, 200);
  assert.equal((await app.ask('HEAD', path)).status, 200);
  app.clock.pass(15 * 60 - 1);
  await app.restart();
  assert.equal((await app.ask('GET', path)).status, 200);
  await app.post.settle();
  assert.equal(server.mails.length, 2);
  await app.restart();
  app.clock.pass(1);
  assert.equal((await send({ password: PASSWORD, code })).status, 422);
  const next = await open();
  app.clock.pass(15 * 60 - 1);
  assert.equal((await send({ password: PASSWORD, code: next })).status, 200);
});

test('a code opens the link for which it was mailed, and no other', async (t) => {
  const { app, server, path, open, send } = await stage(t);
  const code = await open();
  const renewed = await invited(app.owner, NEW);
  linkIn(await server.next());
  assert.equal((await app.ask('GET', path)).status, 404);
  assert.equal((await send({ password: PASSWORD, code }, renewed.path)).status, 422);
  const elsewhere = await invited(app.stranger, NEW);
  linkIn(await server.next());
  assert.equal((await send({ password: PASSWORD, code }, elsewhere.path)).status, 422);
  assert.equal(findUser(app.db, NEW), undefined);
});

test('somebody who has an account types the code too, before a password is looked at', async (t) => {
  const { app, server, send, mailed } = await stage(t, STRANGER);
  const { runs } = app.passwords;
  for (let i = 0; i < 12; i++) assert.equal((await send(WRONG)).status, 422);
  assert.equal((await send({ ...RIGHT, code: '12345' })).status, 422);
  assert.equal(app.passwords.runs, runs);
  const code = codeIn(await server.next());
  assert.equal((await send({ ...WRONG, code })).status, 422);
  assert.equal((await send({ ...RIGHT, code })).status, 200);
  assert.equal((await app.ask('GET', mailed)).status, 404);
});

test('a code that could not be sent is made anew when the link is opened again', async (t) => {
  const { app, server, path, open, send } = await stage(t);
  server.state.refuses = () => 550;
  assert.equal((await app.ask('GET', path)).status, 200);
  await app.post.settle();
  assert.equal(logged(app, 'e-mail not sent. To test the mail server, run daybook doctor').length, 1);
  server.state.refuses = () => undefined;
  assert.equal((await send({ password: PASSWORD, code: await open() })).status, 200);
});

test('where no mail is sent, the page says that whoever invites could have used the link, and a reset ends what they made', async (t) => {
  const app = await startApp(t);
  const { path } = await invited(app.owner, NEW);
  const { text } = await app.ask('GET', path);
  assert.match(
    text,
    /The person who invited you can also open this link\. If you are new here and your password is refused, someone else/,
  );
  assert.doesNotMatch(text, /name="code"/);
  // And they did.
  assert.equal((await app.ask('POST', path, { body: { password: 'of the inviter' } })).status, 200);
  const taken = findUser(app.db, NEW);
  assert.ok(taken);
  const token = app.tokenOf(taken, ['read', 'write']);
  const lost = await app.ask('GET', path);
  assert.match(
    lost.text,
    /Has someone else used it in your name\? Then ask the person who runs this server for a new link/,
  );
  const again = await invited(app.stranger, NEW);
  const refused = await app.ask('POST', again.path, form({ password: PASSWORD }));
  assert.match(refused.text, /This is not the password for new@example\.com\./);
  assert.match(refused.text, /If you are new here and your password is refused/);
  assert.equal((await app.ask('GET', '/api/v1/account', { token })).status, 200);
  app.db.write(() => setPasswordLink(app.db, taken.id, 'a-secret', app.clock.now() / 1000 + 60));
  assert.equal((await app.ask('POST', '/password/a-secret', { body: { password: PASSWORD } })).status, 200);
  assert.equal((await app.ask('GET', '/api/v1/account', { token })).status, 401);
});

test('the page of an invitation does not tell its sender whether the address has an account here', async (t) => {
  const server = await mailServer(t);
  for (const settings of [server.settings, {}]) {
    const app = await startApp(t, settings);
    const pages: string[] = [];
    for (const email of [NEW, 'stranger@example.com']) {
      const { path } = await invited(app.owner, email);
      for (const answer of [await app.ask('GET', path), await app.ask('POST', path, form({ password: 'short' }))])
        pages.push(`${answer.status} ${answer.text.replaceAll(email, '')}`);
    }
    assert.deepEqual(pages.slice(0, 2), pages.slice(2));
    assert.match(pages[0] ?? '', /If you are new here, choose a password/);
  }
});
