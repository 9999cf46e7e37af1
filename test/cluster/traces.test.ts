import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY } from '../../src/lib/time.ts';
import { listCollectors } from '../../src/store/cluster/collectors.ts';
import { bytesBeside } from '../collect/collecting.ts';
import { CHROME, TODAY } from '../collect/stage.ts';
import { stage } from './collecting.ts';
import { filesIn, writtenAs } from './files.ts';

test('no salt of a day that is over, and no code of a day that was sealed, is left in the files of a collector', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one');
  await one.view('/a');
  const salts = one.db.all<{ bytes: Buffer; day: number }>('SELECT day, bytes FROM salt WHERE site_id = 1');
  assert.deepEqual(salts.map(({ day }) => day).sort(), [TODAY, TODAY + 1]);
  const isThere = ({ bytes }: { bytes: Buffer }) => bytesBeside(app.outbox('one')).includes(bytes);
  assert.ok(salts.every(isThere));
  app.clock.pass(DAY);
  await one.look();
  one.everyMinute();
  assert.deepEqual(
    salts.map((salt) => isThere(salt)),
    salts.map(({ day }) => day > TODAY),
  );
  const [{ status } = {}] = listCollectors(app.db);
  assert.ok(status && status.until > TODAY * DAY + DAY);
});

const bytesIn = (folders: readonly string[]): Buffer =>
  Buffer.concat(folders.flatMap(filesIn).map(({ bytes }) => bytes));

test('nothing that names a visitor is in any file of any server, outbox or log once the day is sealed', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one');
  const sender = { address: '203.0.113.77', agent: `${CHROME} handset-mark/1.0` };
  const server = process.env.TEST_CLUSTER?.split(',') ?? [];
  const [, database = ''] = /\/(\w+)\?/.exec(app.config.engine ?? '') ?? [];
  const rowsOf = async (sql: string): Promise<string[]> => {
    const asked = server.map((host) => fetch(`http://${host}/`, { method: 'POST', body: sql }));
    const texts = await Promise.all((await Promise.all(asked)).map((answer) => answer.text()));
    return texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
  };
  for (let visitor = 0; visitor < 20; visitor++)
    await one.view('/a', 'example.com', { ...sender, address: `203.0.113.${100 + visitor}` });
  const headers = { 'user-agent': sender.agent, 'accept-language': 'de' };
  const body = { site: 'example.com', url: 'https://example.com/b' };
  const view = async () => assert.equal((await app.ask('POST', '/day', { body, headers })).status, 202);
  await view();

  // The primary copies the day that somebody asks for.
  await app.figures();
  await app.figures();
  assert.ok(existsSync(`${app.config.db}.open-days`));
  const codes = new Set(await rowsOf(`SELECT DISTINCT visitor FROM ${database}.activity`));
  assert.equal(codes.size, 21);
  const salts = app.db.all<{ bytes: Buffer }>('SELECT bytes FROM salt WHERE day = ?', TODAY);
  const places = [process.env.TEST_CLUSTER_FOLDER ?? '', dirname(app.config.db), dirname(app.outbox('one'))];
  const secrets = [
    ...[...codes].flatMap((code) => writtenAs(BigInt(code))),
    ...salts.flatMap(({ bytes }) => [
      bytes,
      Buffer.from(bytes.toString('hex')),
      Buffer.from(bytes.toString('hex').toUpperCase()),
    ]),
  ];
  const left = () => {
    const all = bytesIn(places);
    return secrets.filter((secret) => all.includes(secret)).length;
  };
  assert.ok(left() > codes.size, 'while the day is open, its codes and salts are somewhere');
  const never = [sender.agent, 'handset-mark', '203.0.113.1'].map((text) => Buffer.from(text));
  const all = Buffer.concat([bytesIn(places), Buffer.from(JSON.stringify([app.log]))]);
  assert.deepEqual(
    never.filter((text) => all.includes(text)),
    [],
    'addresses and agents are nowhere at any time',
  );

  app.clock.pass(DAY);
  await view();
  await one.look();
  one.everyMinute();
  assert.equal(await app.seal(), 1);
  // Questions that began before may go on for a minute.
  app.clock.pass(61);
  await one.look();
  one.everyMinute();
  await app.engine.upkeep.sweep();
  const rows = await rowsOf(`SELECT count() FROM ${database}.activity WHERE day = ${TODAY}`);
  assert.deepEqual(rows, ['0', '0', '0', '0'], 'on every server, and long before the next midnight');
  // ClickHouse deletes files a while after it has put others in their place.
  for (; left() > 0; await pause(200)) app.everyMinute();
});
