import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildTokenCheck } from '../../src/collectors/token-check.ts';
import { Problem } from '../../src/lib/errors.ts';
import { findMirror, findRowFault, setMirror } from '../../src/store/cluster/copied-tables.ts';
import { openOutbox } from '../../src/store/cluster/outbox.ts';
import { ABILITIES } from '../../src/store/people/tokens.ts';
import { PAGE, stage as primaryOf } from '../collect/sending.ts';
import { GERMAN, NOWHERE } from '../collect/stage.ts';
import { folder } from '../support/helpers.ts';

/** A primary, and the outbox of a collector that copies its settings. */
async function stage(t: TestContext) {
  const primary = await primaryOf(t);
  const outbox = openOutbox(join(folder(t), 'outbox.db'), 'one');
  t.after(() => outbox.close());
  const { checkSender, listUsedSince } = buildTokenCheck(outbox.db, primary.clock);
  const copy = () => {
    const mirror = findMirror(primary.db);
    const faults = mirror.collect_token.map((row) => findRowFault('collect_token', row));
    assert.deepEqual(
      faults,
      faults.map(() => undefined),
    );
    return outbox.db.write(() => setMirror(outbox.db, mirror).changed);
  };
  const ask = (token: string | undefined, site = PAGE.site, address = NOWHERE): number => {
    try {
      checkSender(token === undefined ? {} : { authorization: `Bearer ${token}` }, site, address);
      return 202;
    } catch (error) {
      assert.ok(error instanceof Problem, String(error));
      return error.status;
    }
  };
  copy();
  return { ...primary, outbox, copy, onCollector: ask, listUsedSince };
}

test('tokens on a collector: accepts for each site exactly the tokens that the primary accepts', async (t) => {
  const app = await stage(t);
  const { owner, manager, viewer, stranger, send, tokenOf, join: joinTeam, site, person } = app;
  const other = site(owner, 'other.example');
  const some = await person('some@example.com');
  joinTeam(owner, some, 'manager', [other]);
  const none = await person('none@example.com');
  joinTeam(owner, none, 'manager', []);
  // The stranger is also in the team of the owner, for one site.
  joinTeam(owner, stranger, 'manager', [other]);
  const tokens = [owner, manager, viewer, stranger, some, none].flatMap((one) =>
    ABILITIES.map((ability) => ({ name: `${one.email} ${ability}`, text: tokenOf(one, [ability]) })),
  );
  app.copy();
  let accepted = 0;
  for (const { name, text } of tokens)
    for (const domain of ['example.com', 'other.example', 'stranger.example', 'nobody.example']) {
      const headers = { authorization: `Bearer ${text}`, 'daybook-visitor-ip': GERMAN };
      const message = { site: domain, url: `https://${domain}/` };
      const isAccepted = (await send(message, { headers })).status === 202;
      assert.equal(app.onCollector(text, domain) === 202, isAccepted, `${name} for ${domain}`);
      if (isAccepted) accepted++;
    }
  // Owner and manager for two sites, the stranger for two, and the manager of one site, each with two abilities.
  assert.equal(accepted, 2 * (2 + 2 + 2 + 1));
});

test('tokens on a collector: those of a blocked account are accepted, as by the primary', async (t) => {
  const { owner, send, tokenOf, copy, onCollector, db } = await stage(t);
  const token = tokenOf(owner, ['collect']);
  db.write(() => db.run('UPDATE account SET plan_id = NULL'));
  assert.equal((await owner.ask('GET', '/sites')).status, 402, 'the account is blocked');
  copy();
  const headers = { authorization: `Bearer ${token}`, 'daybook-visitor-ip': GERMAN };
  assert.equal((await send({ site: PAGE.site, url: PAGE.url }, { headers })).status, 202);
  assert.equal(onCollector(token), 202);
});

test('tokens on a collector: unknown ones get 401 and then 429, and those of other sites 404', async (t) => {
  const { owner, stranger, tokenOf, copy, onCollector, clock } = await stage(t);
  const [right, foreign] = [tokenOf(owner, ['collect']), tokenOf(stranger, ['collect'])];
  copy();
  const [id] = right.split('|');
  const wrong = [undefined, 'wrong', `${id}|dbk_wrong`, foreign.replace(/^\d+/, String(id)), `9${right}`];
  for (const token of wrong) assert.equal(onCollector(token), 401, String(token));
  assert.equal(onCollector(foreign), 404);
  assert.equal(onCollector(right, 'nobody.example'), 404);
  for (let n = wrong.length; n < 60; n++) assert.equal(onCollector('wrong'), 401);
  assert.equal(onCollector('wrong'), 429);
  assert.equal(onCollector(right), 202, 'a valid token still works');
  assert.equal(onCollector('wrong', PAGE.site, GERMAN), 401, 'another IP address');
  clock.pass(60);
  assert.equal(onCollector('wrong'), 401);
});

test('tokens on a collector: one that is revoked, or whose user loses the site, ends with the next copy', async (t) => {
  const { owner, manager, tokenOf, copy, onCollector, db } = await stage(t);
  const [own, managed] = [tokenOf(owner, ['collect']), tokenOf(manager, ['collect'])];
  assert.equal(onCollector(own), 401, 'it is new');
  assert.deepEqual([...copy()], ['collect_token']);
  assert.deepEqual([onCollector(own), onCollector(managed)], [202, 202]);
  assert.equal((await owner.ask('DELETE', `/tokens/${own.split('|')[0]}`)).status, 204);
  db.write(() => db.run("UPDATE member SET role = 'viewer' WHERE user_id = ?", manager.id));
  assert.deepEqual([onCollector(own), onCollector(managed)], [202, 202], 'the collector has not heard of it');
  copy();
  // The former manager still has an account, without sites.
  assert.deepEqual([onCollector(own), onCollector(managed)], [401, 404]);
});

test('tokens on a collector: after a rename, the former domain still counts', async (t) => {
  const { owner, siteId, tokenOf, copy, onCollector } = await stage(t);
  const token = tokenOf(owner, ['collect']);
  assert.equal((await owner.ask('PATCH', `/sites/${siteId}`, { domain: 'new.example' })).status, 200);
  copy();
  assert.deepEqual([onCollector(token, 'new.example'), onCollector(token)], [202, 202]);
});

test('tokens on a collector: only hashes of the tokens that may send hits leave the primary', async (t) => {
  const { owner, tokenOf, db, outbox, copy } = await stage(t);
  const texts = [tokenOf(owner, ['collect']), tokenOf(owner, ['read']), tokenOf(owner, ['note'])];
  copy();
  const sent = JSON.stringify(findMirror(db));
  for (const text of texts) assert.ok(!sent.includes(text.split('|')[1] ?? ''), text);
  const ids = outbox.db.all<{ id: number }>('SELECT id FROM collect_token').map(({ id }) => String(id));
  const isCopied = texts.map((text) => ids.includes(text.split('|')[0] ?? ''));
  assert.deepEqual(isCopied, [true, false, false]);
});

test('tokens on a collector: says which tokens were used, but not who tried in vain', async (t) => {
  const { owner, stranger, tokenOf, copy, onCollector, listUsedSince, clock } = await stage(t);
  const [right, foreign] = [tokenOf(owner, ['collect']), tokenOf(stranger, ['collect'])];
  copy();
  const began = Math.floor(clock.now() / 1000);
  onCollector(right);
  onCollector(foreign);
  assert.deepEqual(listUsedSince(began), [{ id: Number(right.split('|')[0]), at: began }]);
  clock.pass(1);
  assert.deepEqual(listUsedSince(began + 1), []);
});
