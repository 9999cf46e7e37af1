import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAskSql } from '../../src/sql/ask.ts';
import { hereOn } from '../cli/here.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { openSite } from '../stats/stage.ts';
import { startApp } from '../support/helpers.ts';

const ON = { sql: 'on' };
test('the API answers a statement as the command does, about all sites of the server', async (t) => {
  const app = await startApp(t, ON);
  const [one, other] = [await openSite(app), await openSite(app)];
  await one.store([pageview({ day: TODAY - 1 }), pageview({ day: TODAY, second: 5, country: 'FR' })]);
  await other.store([pageview({ day: TODAY - 1, visitor: 3 })]);
  const sql = 'SELECT site, day, country FROM visits ORDER BY 1, 2';
  const { printed } = await hereOn(app, 'sql', sql, '--format', 'json');
  const { status, body } = await app.owner.ask('POST', '/sql', { sql });
  assert.equal(status, 200);
  assert.deepEqual(body.data, JSON.parse(printed.join('')));
  assert.equal(body.data.rows.length, 3);
  const { domain } = one.known;
  const narrowed = await app.owner.ask('POST', '/sql', { sql, site: domain, range: `${date(TODAY)}~${date(TODAY)}` });
  assert.deepEqual(narrowed.body.data.rows, [[domain, date(TODAY), 'FR']]);
});

test('a statement that is refused says why, and names no file of the server', async (t) => {
  const app = await startApp(t, ON);
  for (const [body, field, says] of [
    [{ sql: 'DELETE FROM visits' }, 'sql', /can only read/],
    [{ sql: 'SELECT missing FROM visits' }, 'sql', /no such column: missing/],
    [{ sql: 'SELECT load_extension(1)' }, 'sql', /load_extension is not allowed/],
    [{ sql: '' }, 'sql', /./],
    [{ sql: 'SELECT 1', site: 'nowhere.example' }, 'site', /no such site/],
    [{ sql: 'SELECT 1', range: 'once' }, 'range', /today/],
    [{ sql: 'SELECT 1', more: 1 }, 'more', /./],
    [{}, 'sql', /./],
  ] as const) {
    const answer = await app.owner.ask('POST', '/sql', body);
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.body.error.fields[field], says);
    assert.doesNotMatch(answer.text, /daybook\.db|src\//);
  }
});

test('a response has at most 4 MB, whatever characters and numbers are in it', async (t) => {
  const app = await startApp(t, ON);
  const { ask, close } = makeAskSql({ path: app.config.db, engine: app.config.engine, log: () => {}, seconds: 600 });
  t.after(close);
  const numbers = Array.from({ length: 180 }, () => '-1.2345678901234567e-100 * x').join();
  const texts = ['char(1)', "'€'", 'char(173)'].map((one) => `replace(hex(zeroblob(200)), '0', ${one})`);
  for (const columns of [...texts, numbers]) {
    const sql = `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT ${columns} FROM n`;
    const answer = await ask({ sql }, new AbortController().signal);
    assert.equal(JSON.parse(Buffer.from(answer).toString()).complete, false);
    const bytes = answer.byteLength;
    assert.ok(bytes > 3_900_000 && bytes < 4_001_000, `${columns.slice(0, 40)}: ${bytes}`);
  }
});

test('two statements at once are answered, and more are told to come back', async (t) => {
  const app = await startApp(t, ON);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => app.owner.ask('POST', '/sql', { sql: 'SELECT 1' })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, 200, 503, 503, 503]);
  assert.equal((await app.owner.ask('POST', '/sql', { sql: 'SELECT 1' })).status, 200);
});
