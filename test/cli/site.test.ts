import assert from 'node:assert/strict';
import { test } from 'node:test';
import { look } from '../store/old-file.ts';
import { furnish } from '../support/furnish.ts';
import { commandLine, here } from './here.ts';

const ANN = 'ann@example.com';

test('site add prints just the id', async (t) => {
  const { run, print } = commandLine(t);
  await print(['user', 'add', ANN]);
  const first = await run(['site', 'add', ANN, 'one.example']);
  assert.deepEqual(first, { code: 0, stdout: '1\n', stderr: '' });
  const second = await run(['site', 'add', 'ANN@example.com', 'Two.Example']);
  assert.deepEqual(second, { code: 0, stdout: '2\n', stderr: '' });
});

test('a site that is added while the server runs is there at once, its domain in lower case', async (t) => {
  const { print, serve } = commandLine(t);
  const { url } = await serve();
  await print(['user', 'add', ANN]);
  const token = await print(['token', 'add', ANN, '--name', 'x', '--abilities', 'read']);
  const id = await print(['site', 'add', ANN, 'MÜNCHEN.example']);
  const answer = await fetch(`${url}/api/v1/sites/${id}`, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal(answer.status, 200);
  const { data } = (await answer.json()) as { data: { domain: string; role: string } };
  assert.equal(data.domain, 'xn--mnchen-3ya.example');
  assert.equal(data.role, 'owner');
});

test('a bad domain is an error', async (t) => {
  const { db } = commandLine(t);
  await furnish(db, []);
  for (const domain of [
    'https://one.example',
    'one.example/',
    'one.example:80',
    'one',
    '192.0.2.1',
    '-a.example',
    '',
  ]) {
    const message = 'DOMAIN: Must be a host name such as example.com, without scheme, port or path.';
    await assert.rejects(here(db, 'site', 'add', ANN, '--', domain), { message, exitCode: 2 }, domain);
  }
});

test('a domain that is a site already is an error, also when it is of somebody else', async (t) => {
  const { db, run } = commandLine(t);
  await furnish(db, ['one.example']);
  await here(db, 'user', 'add', 'bob@example.com');
  for (const email of [ANN, 'bob@example.com']) {
    const refused = await run(['site', 'add', email, 'ONE.example']);
    const stderr = 'daybook: one.example is already a site on this server\n';
    assert.deepEqual(refused, { code: 1, stdout: '', stderr }, email);
  }
});

test('a site beyond the plan is an error that says how many it includes', async (t) => {
  const { db, run } = commandLine(t);
  await furnish(db, []);
  await here(db, 'plan', 'use', ANN, await planOf(0));
  const refused = async (included: string, more = '') => {
    const { code, stdout, stderr } = await run(['site', 'add', ANN, 'last.example']);
    const expected = `daybook: The plan for this account ${included}${more}.\n`;
    assert.deepEqual([code, stdout, stderr], [1, '', expected]);
  };
  await refused('does not allow adding sites', '. Ask the person who runs this server for another plan');
  await planOf(1);
  await here(db, 'site', 'add', ANN, 'one.example');
  await refused('includes at most 1 site');
  await planOf(2);
  await here(db, 'site', 'add', ANN, 'two.example');
  await refused('includes at most 2 sites');

  async function planOf(sites: number): Promise<string> {
    await here(db, 'plan', 'set', 'small', '--sites', String(sites));
    return 'small';
  }
});

test('an unknown user is an error', async (t) => {
  const { db, run } = commandLine(t);
  await furnish(db, []);
  const { code, stdout, stderr } = await run(['site', 'add', 'nobody@example.com', 'one.example']);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /^daybook: there is no user nobody@example\.com\. [^\n]+\n$/);
});

test('a site has the time zone that it is added with, and another from when that is changed', async (t) => {
  const { db, print } = commandLine(t);
  await furnish(db, []);
  await here(db, 'site', 'add', ANN, 'one.example', '--time-zone', 'europe/berlin');
  await here(db, 'site', 'add', ANN, 'two.example');
  const zones = () =>
    look<{ zone: string }>(db, 'SELECT time_zone AS zone FROM site ORDER BY id').map(({ zone }) => zone);
  assert.deepEqual(zones(), ['Europe/Berlin', 'UTC']);
  assert.equal(await print(['site', 'change', 'two.example', '--time-zone', 'America/New_York']), '');
  assert.deepEqual(zones(), ['Europe/Berlin', 'America/New_York']);
  assert.equal(look(db, "SELECT * FROM zone_change WHERE site_id = 2 AND time_zone = 'UTC'").length, 1);
  for (const wrong of ['+02:00', 'Berlin', '']) {
    const message = '--time-zone: Must be the name of a time zone such as Europe/Berlin, or UTC.';
    const flag = `--time-zone=${wrong}`;
    await assert.rejects(here(db, 'site', 'add', ANN, 'three.example', flag), { message, exitCode: 2 }, wrong);
    await assert.rejects(here(db, 'site', 'change', 'one.example', flag), { message, exitCode: 2 }, wrong);
  }
});

test('site change renames a site, says what is to be done, and nothing is changed where that cannot be', async (t) => {
  const { db, run } = commandLine(t);
  await furnish(db, ['one.example', 'two.example']);
  const renamed = await run(['site', 'change', 'one.example', '--domain', 'NEW.example', '--keep-days', '0']);
  assert.deepEqual([renamed.code, renamed.stdout], [0, '']);
  const [name, until, disk] = renamed.stderr.split('\n');
  assert.equal(name, 'one.example is now new.example. In the snippet, write data-site="new.example"');
  assert.match(until ?? '', /^hits of pages with the old snippet count until 2026-04-09T12:00:00Z. /);
  assert.equal(disk, 'no day is older, so no hits are deleted');
  const again = await run(['site', 'change', 'new.example', '--domain', 'new.example']);
  assert.deepEqual(again, { code: 0, stdout: '', stderr: "the site's name is already new.example\n" });

  for (const [args, said] of [
    [['site', 'change', 'one.example', '--domain', 'x.example'], /there is no site one\.example/],
    [['site', 'change', 'new.example', '--domain', 'x'], /--domain: Must be a host name/],
    [['site', 'change', 'new.example', '--domain', 'two.example'], /^two\.example is already a site on this server$/],
    [
      ['site', 'change', 'two.example', '--domain', 'one.example'],
      /^one\.example belonged to another site until recently\. /,
    ],
    [['site', 'add', ANN, 'one.example'], /^one\.example belonged to another site until recently\. /],
  ] as const) {
    await assert.rejects(here(db, ...args), { message: said }, args.join(' '));
  }
});

test('site list shows all sites for people, and with --json for programs', async (t) => {
  const { db } = commandLine(t);
  await furnish(db, ['two.example', 'one.example']);
  await here(db, 'site', 'change', 'two.example', '--time-zone', 'Europe/Berlin', '--keep-days', '730');
  const { printed, explained } = await here(db, 'site', 'list');
  assert.match(explained.join(), /^ID +DOMAIN +OWNER +TIME-ZONE +KEEP-DAYS +SINCE$/);
  assert.deepEqual(
    printed.map((line) => line.split(/ +/)),
    [
      ['2', 'one.example', ANN, 'UTC', 'all', '2026-03-10'],
      ['1', 'two.example', ANN, 'Europe/Berlin', '730', '2026-03-10'],
    ],
  );
  const json = await here(db, 'site', 'list', '--json');
  assert.deepEqual(json.explained, []);
  assert.deepEqual(JSON.parse(json.printed.join('\n')), [
    { id: 2, domain: 'one.example', owner: ANN, time_zone: 'UTC', keep_days: 'all', since: '2026-03-10' },
    { id: 1, domain: 'two.example', owner: ANN, time_zone: 'Europe/Berlin', keep_days: 730, since: '2026-03-10' },
  ]);
  for (const words of [['user', 'list'], ['token', 'list'], ['collectors'], ['outages']]) {
    assert.ok(Array.isArray(JSON.parse((await here(db, ...words, '--json')).printed.join('\n'))), words.join(' '));
  }
});

test('site remove deletes a site only after its name was typed once more, or with --yes', async (t) => {
  const { run, print, db } = commandLine(t);
  await furnish(db, ['one.example', 'two.example', 'three.example']);
  const domains = async () => (await print(['site', 'list'])).split('\n').map((line) => line.split(/ +/)[1]);
  for (const input of ['', 'yes\n', 'two.example\n']) {
    const { code, stderr } = await run(['site', 'remove', 'one.example'], { input });
    assert.equal(code, 1);
    assert.match(stderr, /To continue, type one\.example:\n.*Nothing is deleted\n$/);
  }
  assert.deepEqual(await domains(), ['one.example', 'three.example', 'two.example']);
  const typed = await run(['site', 'remove', 'one.example'], { input: 'one.example\n' });
  assert.deepEqual([typed.code, typed.stdout], [0, 'one.example deleted\n']);
  assert.equal(await print(['site', 'remove', 'Two.example', '--yes']), 'two.example deleted');
  assert.deepEqual(await domains(), ['three.example']);
  // As the API does: what was counted is deleted by the server.
  assert.equal(look(db, 'SELECT site_id FROM removed_site').length, 2);
  await assert.rejects(here(db, 'site', 'remove', 'one.example', '--yes'), /there is no site one\.example/);
});
