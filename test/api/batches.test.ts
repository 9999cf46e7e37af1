import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CRAWL, fieldsOf, HIT, outcomeOf, stage } from './passed.ts';

for (const [noun, entry] of [
  ['hits', HIT],
  ['crawls', CRAWL],
] as const) {
  const path = `/api/v1/sites/example.com/${noun}`;

  test(`${noun}: who may collect or write sends, by id and by domain, and nobody else`, async (t) => {
    const { ask, owner, manager, viewer, stranger, siteId, tokenOf } = await stage(t);
    const send = async (token: string | undefined, to = path) => {
      const { status, body } = await ask('POST', to, { token, body: [entry] });
      return [status, body.error?.code];
    };
    assert.deepEqual(await send(tokenOf(owner, ['collect'])), [202, undefined]);
    assert.deepEqual(await send(tokenOf(owner, ['collect']), path.replace('example.com', `${siteId}`)), [
      202,
      undefined,
    ]);
    assert.deepEqual(await send(tokenOf(owner, ['write'])), [202, undefined]);
    assert.deepEqual(await send(tokenOf(manager, ['collect'])), [202, undefined]);
    assert.deepEqual(await send(tokenOf(owner, ['read'])), [403, 'token_forbidden']);
    assert.deepEqual(await send(tokenOf(viewer, ['collect'])), [403, 'role_forbidden']);
    assert.deepEqual(await send(tokenOf(viewer, ['write'])), [403, 'role_forbidden']);
    assert.deepEqual(await send(tokenOf(stranger, ['collect'])), [404, 'not_found']);
    assert.deepEqual(await send(undefined), [401, 'unauthenticated']);
    const answer = await ask('GET', path, { token: owner.token });
    assert.deepEqual([answer.status, answer.headers.get('Allow')], [405, 'POST, OPTIONS']);
  });

  test(`${noun}: 1,000 entries are taken, and not one more`, async (t) => {
    const { ask, owner, held } = await stage(t);
    const send = (n: number) => ask('POST', path, { token: owner.token, body: Array.from({ length: n }, () => entry) });
    assert.deepEqual(outcomeOf(await send(1_000)), [1_000, 0]);
    assert.deepEqual(fieldsOf(await send(1_001)), ['body']);
    assert.equal((await held.hits()).length, noun === 'hits' ? 1_000 : 0);
  });

  test(`${noun}: a body of 1 MiB is read, and one byte more is not`, async (t) => {
    const { ask, owner } = await stage(t);
    const send = (bytes: number) =>
      ask('POST', path, { token: owner.token, body: JSON.stringify([entry]).padEnd(bytes) });
    assert.deepEqual(outcomeOf(await send(1_048_576)), [1, 0]);
    const answer = await send(1_048_577);
    assert.deepEqual([answer.status, answer.body.error.code], [413, 'payload_too_large']);
  });

  test(`${noun}: a list with something wrong in it is refused whole, and each wrong field named`, async (t) => {
    const { ask, owner, held, siteId } = await stage(t);
    const send = (body: unknown, headers = {}) => ask('POST', path, { token: owner.token, body, headers });
    const good = [entry, entry, entry];
    const wrong: [last: object, ...fields: string[]][] = [
      [{ ...entry, url: '/page' }, '3.url'],
      [{ ...entry, url: undefined }, '3.url'],
      [{ ...entry, url: 'ftp://example.com/' }, '3.url'],
      [{ ...entry, agent: undefined }, '3.agent'],
      [{ ...entry, agent: 7 }, '3.agent'],
      [{ ...entry, at: '2026-03-10' }, '3.at'],
      [{ ...entry, at: '2026-03-10T12:00:00' }, '3.at'],
      [{ ...entry, at: '2026-13-10T12:00:00Z' }, '3.at'],
      [{ ...entry, at: 1_773_144_000 }, '3.at'],
      [{ ...entry, unknown: 1 }, '3.unknown'],
      [{ ...entry, site: 'example.com' }, '3.site'],
      [{ ...entry, url: '', agent: null, x: 1 }, '3.url', '3.agent', '3.x'],
    ];
    for (const [last, ...fields] of wrong) {
      assert.deepEqual(fieldsOf(await send([...good, last])), fields, JSON.stringify(last));
    }
    for (const whole of ['{}', 'null', '', 'x', JSON.stringify(entry)]) {
      assert.deepEqual(fieldsOf(await send(whole)), ['body'], whole);
    }
    assert.deepEqual(fieldsOf(await send(good, { 'content-type': 'text/plain' })), ['body']);
    assert.deepEqual(await held.hits(), []);
    assert.deepEqual(await held.crawls(siteId), {});
  });
}
