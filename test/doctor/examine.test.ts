import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { examine, type Finding } from '../../src/doctor/examine.ts';
import { coded } from '../../src/lang/coded.ts';
import { hashSecret } from '../../src/lib/secrets.ts';
import { DAY } from '../../src/lib/time.ts';
import type { OptionName } from '../../src/options.ts';
import { addCollector } from '../../src/store/cluster/collectors.ts';
import { noteUpkeep } from '../../src/store/server/upkeep.ts';
import { addDestination, noteFailure } from '../../src/store/sites/destinations.ts';
import { append, engineOver, fileOf, pageview, TODAY } from '../collect/stage.ts';
import { crowd, sealOnce } from '../ledger/stage.ts';
import { mailServer } from '../mail/server.ts';

const NOW = TODAY * 86_400 + 43_200;

/** A file, and what is found about one thing in it. */
function patient(t: TestContext) {
  const { path, open } = fileOf(t);
  const { db } = open();
  return {
    db,
    path,
    async find(name: string, { now = NOW, ...settings }: { now?: number } & Partial<Record<OptionName, string>> = {}) {
      const config = readConfig({ db: path, ...settings }, {});
      const findings = await examine({
        config,
        db,
        ...engineOver(db),
        path,
        clock: { now: () => now * 1000, tick: () => 0 },
      });
      const found = findings.find((one) => one.name === name);
      assert.ok(found, name);
      assert.equal(found.remedy !== undefined, !found.fine, 'a remedy is there just where it is needed');
      return found;
    },
  };
}

const matches = ({ fine, says }: Finding, isFine: boolean, words: RegExp): void => {
  assert.match(says, words);
  assert.equal(fine, isFine);
};

test('a new file needs no attention', async (t) => {
  const { db, path } = patient(t);
  const config = readConfig({}, {});
  const findings = await examine({
    config,
    db,
    ...engineOver(db),
    path,
    clock: { now: () => NOW * 1000, tick: () => 0 },
  });
  assert.deepEqual(
    findings.map(({ name }) => name),
    [
      'version',
      'time',
      'visitors',
      'mail',
      'webhook',
      'channels',
      'disk',
      'capacity',
      'excluded',
      'cluster',
      'collectors',
      'seal',
      'jobs',
      'backup',
      'restore',
      'forgetting',
      'parquet',
      'recount',
      'check',
      'countries',
    ],
  );
  assert.deepEqual(
    findings.filter(({ fine }) => !fine),
    [],
  );
});

test('a clock that is behind the last hit, or before there was daybook, is wrong', async (t) => {
  const { db, find } = patient(t);
  matches(await find('time'), true, /^2026-03-10T12:00:00Z$/);
  await append(db, [pageview({ second: 43_200 })]);
  matches(await find('time'), true, /Last hit: 2026-03-10T12:00:00Z/);
  matches(await find('time', { now: NOW - 60 }), true, /2026-03-10T11:59:00Z/);
  matches(await find('time', { now: NOW - 61 }), false, /but the last hit came at 2026-03-10T12:00:00Z/);
  matches(await find('time', { now: 0 }), false, /1970-01-01/);
  assert.ok(sealOnce(db, { siteId: 1, day: TODAY }));
  db.run('DELETE FROM hit');
  matches(await find('time', { now: NOW - DAY }), false, /2026-03-10T00:00:00Z/);
});

test('what the server noted about its visitors, the trial and the check is told with when', async (t) => {
  const { db, find } = patient(t);
  for (const name of ['visitors', 'restore', 'forgetting', 'recount', 'check'] as const) {
    matches(await find(name), true, /yet|since the server was started/);
    noteUpkeep(db, name, { at: NOW, fine: true, words: 'as it should be' });
    matches(await find(name), true, /^2026-03-10T12:00:00Z: as it should be$/);
    noteUpkeep(db, name, { at: NOW, fine: false, words: 'not so' });
    matches(await find(name), false, /^2026-03-10T12:00:00Z: not so$/);
  }
});

test('doctor: without own visitors, it is said where the visitors of collectors are checked', async (t) => {
  const { db, find } = patient(t);
  matches(await find('visitors'), true, /^No visitors yet/);
  db.write(() => addCollector(db, { name: 'one', hash: hashSecret('one'), now: NOW }));
  matches(await find('visitors'), true, /^No visitors came to this server itself\. Each collector checks/);
});

test('a copy that failed, is older than two days or was never made needs attention', async (t) => {
  const { db, find } = patient(t);
  matches(await find('backup'), true, /^No backup yet\. The server makes the first one/);
  matches(await find('backup', { 'keep-backups': '0' }), false, /^No backup yet$/);
  noteUpkeep(db, 'backup', { at: NOW, fine: true, words: 'copy.db, 1.0 MB' });
  matches(await find('backup', { now: NOW + 2 * DAY }), true, /^2026-03-10T12:00:00Z: copy\.db, 1\.0 MB$/);
  matches(await find('backup', { now: NOW + 2 * DAY + 1 }), false, /copy\.db/);
  noteUpkeep(db, 'backup', { at: NOW, fine: false, words: 'the disk is full' });
  matches(await find('backup'), false, /the disk is full/);
});

test('what a day takes is counted with all copies', async (t) => {
  const { db, find } = patient(t);
  matches(
    await find('disk'),
    true,
    /GB free\. Uses 0\.\d MB, grows \d+\.\d kB a day including backups: enough for years$/,
  );
  for (const day of [TODAY - 2, TODAY - 1]) {
    await append(db, crowd(20, { day }));
    assert.ok(sealOnce(db, { siteId: 1, day }));
  }
  // As much in a day as would be in a big one; what counts is its length.
  db.run("UPDATE sealed_blob SET data = zeroblob(2000000) WHERE name = 'page'");
  matches(await find('disk', { 'keep-backups': '0' }), true, / grows 2\.0 MB a day/);
  matches(await find('disk', { 'keep-backups': '7' }), true, / grows 16\.\d MB a day/);
  matches(
    await find('disk', { 'keep-backups': '1000' }),
    false,
    / grows 2\.0 GB a day including backups: enough for \d+ days/,
  );
});

test('a country file that is old or cannot be read needs attention', async (t) => {
  const { find } = patient(t);
  matches(await find('countries'), true, /^Country data from 20\d\d-\d\d-\d\d$/);
  matches(await find('countries', { now: NOW + 1_000 * DAY }), false, /^Country data from 20\d\d/);
  matches(await find('countries', { geoip: '/none.mmdb' }), false, /^Cannot read \S*none\.mmdb$/);
});

test('channels: those that came from a backup need attention, and those that fail are counted', async (t) => {
  const { db, find } = patient(t);
  matches(await find('channels'), true, /^No notification channels$/);
  const siteId = db.one<{ id: number }>('SELECT min(id) AS id FROM site')?.id ?? 0;
  const chosen = {
    kind: 'slack',
    name: 'Team',
    messages: ['weekly'],
    language: 'en',
    paused: false,
    now: NOW,
  } as const;
  const settings = { place: 'hooks.slack.com', settings: { url: 'https://hooks.slack.com/services/hidden' } };
  const add = () => addDestination(db, siteId, { ...chosen, messages: ['weekly'] }, settings).id;
  add();
  noteFailure(db, add(), coded('no_answer_in_time'), NOW);
  matches(await find('channels'), true, /^2 notification channels, 1 of them failing$/);
  db.run('DELETE FROM destination_secret WHERE destination_id = 1');
  const { says, remedy } = await find('channels');
  assert.match(says, /^1 notification channel lacks its URL and token/);
  assert.match(remedy ?? '', /choose Notifications/);
});

test('a webhook is as the server found it last', async (t) => {
  const { db, find } = patient(t);
  matches(await find('webhook'), true, /^Off \(no --webhook-url\)$/);
  const settings = { 'webhook-url': 'https://hooks.slack.com/services/hidden' };
  matches(await find('webhook', settings), true, /^hooks\.slack\.com: nothing to send yet$/);
  const refusal = coded('webhook_refused', {
    host: 'hooks.slack.com',
    reason: [coded('it_answered', { status: 500 })],
  });
  noteUpkeep(db, 'webhook', { at: NOW, fine: false, words: JSON.stringify(refusal) });
  matches(
    await find('webhook', settings),
    false,
    /^2026-03-10T12:00:00Z: hooks\.slack\.com did not accept a message: the answer had status 500$/,
  );
  // For a command, which does not see the flag of the server.
  noteUpkeep(db, 'webhook-host', { at: NOW, fine: true, words: 'example.com' });
  matches(await find('webhook'), false, /: hooks\.slack\.com did not accept a message: the answer had status 500$/);
  noteUpkeep(db, 'webhook-host', { at: NOW, fine: true, words: '' });
  matches(await find('webhook'), true, /^Off/);
});

test('a mail server that answers is fine; one that does not, or says no, is told without its secrets', async (t) => {
  const { db, find } = patient(t);
  matches(await find('mail'), true, /^Off \(no --smtp-url\)\. Links are written to the log$/);
  const { settings } = await mailServer(t);
  matches(await find('mail', settings), true, /^127\.0\.0\.1:\d+ answers$/);
  noteUpkeep(db, 'mail-host', { at: NOW, fine: true, words: 'mail.example.com' });
  matches(await find('mail'), true, /^The server sends e-mails through mail\.example\.com\. /);

  const rude = createServer((socket) => socket.on('error', () => {}).end('554 secret1234567890 go away\r\n')).listen(
    0,
    '127.0.0.1',
  );
  await once(rude, 'listening');
  t.after(() => rude.close());
  const { port } = rude.address() as AddressInfo;
  const url = `smtp://ann:password@127.0.0.1:${port}`;
  const found = await find('mail', { 'smtp-url': url, 'mail-from': 'a@example.com' });
  matches(found, false, /^127\.0\.0\.1:\d+: unexpected answer \(/);
  assert.doesNotMatch(JSON.stringify(found), /secret|password|ann/);
  rude.close();
  await once(rude, 'close');
  matches(await find('mail', { 'smtp-url': url, 'mail-from': 'a@example.com' }), false, /not reachable/);
});

test('what cannot be looked at needs attention, and hides nothing else', async (t) => {
  const { db, find } = patient(t);
  db.run('DROP TABLE upkeep');
  matches(await find('restore'), false, /^This check could not be completed \(SQLITE_ERROR\)$/);
  matches(await find('time'), true, /./);
});

test('what came from excluded addresses is told of for a week, and needs no attention', async (t) => {
  const { db, find } = patient(t);
  matches(await find('excluded'), true, /No hits from excluded IP addresses/);
  const insert = "INSERT INTO drop_day (site_id, day, reason, hits) VALUES (?, ?, 'excluded', ?)";
  for (const [site, day, hits] of [
    [1, TODAY - 8, 100],
    [1, TODAY - 7, 12],
    [2, TODAY, 3],
  ] as const) {
    db.run(insert, site, day, hits);
  }
  matches(await find('excluded'), true, /^15 hits from excluded IP addresses in the last 7 days/);
});

test('a day that was full needs attention for a week', async (t) => {
  const { db, find } = patient(t);
  matches(await find('capacity'), true, /No day reached the limit/);
  db.run("INSERT INTO drop_day (site_id, day, reason, hits) VALUES (1, ?, 'day-full', 12)", TODAY - 7);
  matches(
    await find('capacity'),
    false,
    /The daily limit was reached 1 time\. The last time, on 2026-03-03, 12 hits of .* did not count/,
  );
  matches(await find('capacity', { now: NOW + DAY }), true, /No day/);
});
