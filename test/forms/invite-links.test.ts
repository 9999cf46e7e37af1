import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../src/lib/time.ts';
import { changeMember } from '../../src/store/people/team.ts';
import { findUser } from '../../src/store/people/users.ts';
import { startApp } from '../support/helpers.ts';
import { form } from '../support/requests.ts';
import { changes, invited, NEW, RIGHT, STRANGER, seen, sitesOf } from './invited.ts';

test('a link that was used, withdrawn or never made finds nothing', async (t) => {
  const app = await startApp(t);
  const used = await invited(app.owner, NEW);
  assert.equal((await app.ask('POST', used.path, { body: { password: 'correct horse' } })).status, 200);
  const withdrawn = await invited(app.owner, STRANGER);
  assert.equal((await app.owner.ask('DELETE', `/team/${withdrawn.id}`)).status, 204);
  const removed = await invited(app.owner, 'removed@example.com');
  assert.equal((await app.ask('POST', removed.path, { body: { password: 'correct horse' } })).status, 200);
  assert.equal((await app.owner.ask('DELETE', `/team/${removed.id}`)).status, 204);
  const open = await invited(app.owner, 'open@example.com');

  const before = changes(app);
  const cut = open.path.slice(0, -1);
  for (const path of [
    used.path,
    withdrawn.path,
    removed.path,
    cut,
    `${open.path}x`,
    '/invite/x',
    '/invite/%00',
    '/invite/%',
  ]) {
    const looked = await app.ask('GET', path);
    assert.equal(looked.status, 404, path);
    assert.match(looked.text, /<h1>This link does not work<\/h1>\n<p>An invitation works once, within 5 days\./, path);
    assert.match(
      looked.text,
      /If you have already accepted it, sign in\..*<a href="\/">Go to the dashboard<\/a>/,
      path,
    );
    const sent = await app.ask('POST', path, { body: { password: 'correct horse' } });
    assert.equal(sent.status, 404, path);
    assert.equal(sent.body.error.code, 'not_found', path);
    const filled = await app.ask('POST', path, form({ password: 'correct horse' }));
    assert.equal(filled.status, 404, path);
    assert.match(filled.text, /<h1>This link does not work<\/h1>/, path);
  }
  assert.equal(changes(app), before);
  assert.equal((await app.ask('GET', open.path)).status, 200);
});

test('an invitation works for 5 days, to the second', async (t) => {
  const app = await startApp(t);
  const late = await invited(app.owner, NEW);
  const early = await invited(app.owner, STRANGER);
  app.clock.pass(5 * DAY - 1);
  assert.equal((await app.ask('GET', late.path)).status, 200);
  assert.equal((await app.ask('POST', early.path, { body: RIGHT })).status, 200);
  app.clock.pass(1);
  assert.equal((await app.ask('GET', late.path)).status, 404);
  assert.equal((await app.ask('POST', late.path, { body: { password: 'correct horse' } })).status, 404);
  assert.equal((await app.ask('POST', late.path, form({ password: 'correct horse' }))).status, 404);
  assert.equal((await seen(app.owner, NEW)).status, 'invited');
  assert.equal(findUser(app.db, NEW), undefined);

  // It is not lost: inviting again makes the same entry good for 5 more days.
  const again = await invited(app.owner, NEW);
  assert.equal(again.id, late.id);
  app.clock.pass(5 * DAY - 1);
  assert.equal((await app.ask('POST', again.path, { body: { password: 'correct horse' } })).status, 200);
});

test('a renewed invitation has a new link and role and the same id, and the old link is dead', async (t) => {
  const app = await startApp(t);
  const old = await invited(app.owner, NEW, 'viewer');
  const renewed = await invited(app.owner, NEW, 'manager');
  assert.equal(renewed.id, old.id);
  assert.notEqual(renewed.path, old.path);
  assert.equal((await app.ask('GET', old.path)).status, 404);
  assert.equal((await app.ask('POST', old.path, { body: { password: 'correct horse' } })).status, 404);
  assert.match((await app.ask('GET', renewed.path)).text, /You are invited as a manager\./);
  const { status, body } = await app.ask('POST', renewed.path, { body: { password: 'correct horse' } });
  assert.equal(status, 200);
  assert.equal(body.data.role, 'manager');
  const member = await seen(app.owner, NEW);
  assert.deepEqual([member.id, member.status, member.role], [old.id, 'active', 'manager']);
});

test('a role that is changed before somebody joins is the one they get', async (t) => {
  const app = await startApp(t);
  const { id, path } = await invited(app.owner, NEW, 'manager');
  assert.equal((await app.owner.ask('PATCH', `/team/${id}`, { role: 'viewer' })).status, 200);
  const { body } = await app.ask('POST', path, { body: { password: 'correct horse' } });
  assert.equal(body.data.role, 'viewer');
  assert.deepEqual(await sitesOf(app, NEW), [['example.com', 'viewer']]);

  const other = await invited(app.owner, STRANGER, 'manager');
  // The form has been let in and waits for its body here.
  const answering = app.ask('POST', other.path, { body: RIGHT });
  app.db.write(() => changeMember(app.db, other.id, { role: 'viewer' }));
  assert.equal((await answering).body.data.role, 'viewer');
  assert.equal((await seen(app.owner, STRANGER)).role, 'viewer');
});
