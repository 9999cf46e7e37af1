import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { furnish } from '../support/furnish.ts';
import { commandLine, here } from './here.ts';

const ANN = 'ann@example.com';

type Account = {
  plan: string | null;
  events_included: number | null;
  limits: { sites: number | null; members: number | null };
};

/** A running server with one user, and what they see there. */
async function running(t: TestContext) {
  const { db, run, print, serve } = commandLine(t);
  const token = await furnish(db, []);
  const { url } = await serve();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const ask = async (path: string, body?: unknown) => {
    const asking = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${url}/api/v1${path}`, { headers, ...asking });
    return {
      status: answer.status,
      body: (await answer.json()) as { data: unknown; error?: { code: string; message: string } },
    };
  };
  const account = async () => {
    const { status, body } = await ask('/account');
    assert.equal(status, 200);
    const { plan, events_included, limits } = body.data as Account;
    return { plan, events: events_included, sites: limits.sites, members: limits.members };
  };
  return { run, print, ask, account };
}

test('a plan given while the server runs shows in the account at once, and a changed one too', async (t) => {
  const { run, account } = await running(t);
  assert.deepEqual(await account(), { plan: 'self-hosted', events: null, sites: null, members: null });

  const silent = { code: 0, stdout: '', stderr: '' };
  assert.deepEqual(await run(['plan', 'set', 'small', '--sites', '2', '--members', '3', '--events', '1000']), silent);
  assert.equal((await account()).plan, 'self-hosted');
  assert.deepEqual(await run(['plan', 'use', ANN, 'small']), silent);
  assert.deepEqual(await account(), { plan: 'small', events: 1000, sites: 2, members: 3 });

  assert.deepEqual(await run(['plan', 'set', 'small', '--sites', '5']), silent);
  assert.deepEqual(await account(), { plan: 'small', events: null, sites: 5, members: null });

  assert.deepEqual(await run(['plan', 'use', ANN, 'self-hosted']), silent);
  assert.deepEqual(await account(), { plan: 'self-hosted', events: null, sites: null, members: null });
});

test('the limits of a plan hold on the API and at the command line', async (t) => {
  const { run, print, ask } = await running(t);
  await print(['plan', 'set', 'tiny', '--sites', '1', '--members', '1']);
  await print(['plan', 'use', ANN, 'tiny']);
  assert.equal((await ask('/sites', { domain: 'one.example' })).status, 201);
  const { status, body } = await ask('/sites', { domain: 'two.example' });
  assert.deepEqual([status, body.error?.code], [402, 'limit_reached']);
  assert.equal((await ask('/team', { email: 'bob@example.com', role: 'viewer' })).status, 201);
  const invited = await ask('/team', { email: 'cid@example.com', role: 'viewer' });
  assert.deepEqual([invited.status, invited.body.error?.code], [402, 'limit_reached']);
  assert.equal(invited.body.error?.message, 'The plan for this account includes at most 1 team member.');
  const added = await run(['site', 'add', ANN, 'two.example']);
  assert.deepEqual([added.code, added.stdout], [1, '']);
  assert.match(added.stderr, /^daybook: The plan for this account includes at most 1 site\.\n$/);
});

test('plan end blocks the account while the server runs, and a new plan opens it again', async (t) => {
  const { run, print, ask, account } = await running(t);
  await print(['site', 'add', ANN, 'one.example']);
  assert.deepEqual(await run(['plan', 'end', ANN]), { code: 0, stdout: '', stderr: '' });
  const blocked = await ask('/sites');
  assert.deepEqual([blocked.status, blocked.body.error?.code], [402, 'account_blocked']);
  assert.equal((await account()).plan, null);

  await print(['plan', 'use', ANN, 'self-hosted']);
  const { status, body } = await ask('/sites');
  assert.equal(status, 200);
  assert.deepEqual(
    (body.data as { domain: string }[]).map(({ domain }) => domain),
    ['one.example'],
  );
});

test('a plan that does not exist, the built-in one, and limits that are no whole numbers are errors', async (t) => {
  const { db } = commandLine(t);
  await furnish(db);
  const calls: [string[], number, RegExp][] = [
    [['plan', 'use', ANN, 'gold'], 1, /there is no plan gold/],
    [['plan', 'use', 'nobody@example.com', 'self-hosted'], 1, /there is no user nobody@example\.com/],
    [['plan', 'end', 'nobody@example.com'], 1, /there is no user nobody@example\.com/],
    [['plan', 'set', 'self-hosted', '--sites', '1'], 1, /self-hosted is built in/],
    [['plan', 'set', 'guest', '--sites', '1'], 1, /guest is built in/],
    [['plan', 'set', ''], 2, /NAME: Must not be empty/],
    [['plan', 'set', 'x'.repeat(101)], 2, /NAME: Must have at most 100 characters/],
    ...['-1', '1.5', '1e3', 'many', '', ' 1', '1000000000000000'].map((typed): [string[], number, RegExp] => [
      ['plan', 'set', 'small', `--sites=${typed}`],
      2,
      /--sites takes a whole number/,
    ]),
  ];
  for (const [args, exitCode, message] of calls) {
    await assert.rejects(here(db, ...args), { message, exitCode }, args.join(' '));
  }
});
