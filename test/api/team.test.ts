import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changePlan } from '../../src/store/people/accounts.ts';
import { findPlan, setPlan } from '../../src/store/people/plans.ts';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';

type Member = { id: number; email: string; role: string; status: string };

test('the team lists people and open invitations, and the teams of others', async (t) => {
  const { owner, manager, viewer } = await startApp(t);
  await owner.ask('POST', '/team', { email: 'new@example.com', role: 'viewer' });
  const team = dataOf(await owner.ask('GET', '/team'), 'GET', '/team');
  assert.deepEqual(
    team.members.map(({ email, role, status }: Member) => [email, role, status]),
    [
      ['manager@example.com', 'manager', 'active'],
      ['viewer@example.com', 'viewer', 'active'],
      ['new@example.com', 'viewer', 'invited'],
    ],
  );
  assert.deepEqual([team.limit, team.teams], [null, []]);
  const { teams, members } = dataOf(await viewer.ask('GET', '/team'), 'GET', '/team');
  assert.deepEqual(
    [teams, members],
    [[{ account_id: owner.accountId, owner: owner.email, role: 'viewer', sites: null }], []],
  );
  assert.equal((await manager.ask('GET', '/team')).body.data.teams[0].role, 'manager');
});

test('an invitation answers with its link; renewing it keeps the id and changes link and role', async (t) => {
  const { owner, config } = await startApp(t);
  const first = await owner.ask('POST', '/team', { email: 'New@Example.com', role: 'viewer' });
  assert.equal(first.status, 201);
  const member = dataOf(first, 'POST', '/team');
  assert.match(member.invitation_url, new RegExp(`^${config.baseUrl}/invite/[0-9A-Za-z]{43}$`));
  assert.deepEqual([member.email, member.status], ['new@example.com', 'invited']);
  const second = await owner.ask('POST', '/team', { email: 'new@example.com', role: 'manager' });
  assert.deepEqual([second.status, second.body.data.id, second.body.data.role], [201, member.id, 'manager']);
  assert.notEqual(second.body.data.invitation_url, member.invitation_url);
});

test('members and oneself cannot be invited, nor what is no address or role', async (t) => {
  const { owner, viewer } = await startApp(t);
  const wrong: [unknown, string][] = [
    [{ email: viewer.email, role: 'manager' }, 'email'],
    [{ email: 'OWNER@example.com', role: 'viewer' }, 'email'],
    [{ email: 'a@example.com,b@example.com', role: 'viewer' }, 'email'],
    [{ email: 'a@example.com\r\nBcc: b@example.com', role: 'viewer' }, 'email'],
    [{ email: 'Ann <a@example.com>', role: 'viewer' }, 'email'],
    [{ email: `${'a'.repeat(60)}@${'b.'.repeat(100)}example`, role: 'viewer' }, 'email'],
    [{ email: 'a@example.com', role: 'owner' }, 'role'],
    [{ email: 'a@example.com' }, 'role'],
    [{ role: 'viewer' }, 'email'],
  ];
  for (const [body, field] of wrong) {
    const answer = await owner.ask('POST', '/team', body);
    assert.equal(answer.status, 422, JSON.stringify(body));
    assert.deepEqual(Object.keys(answer.body.error.fields), [field]);
  }
});

test("open invitations count for the plan's limit, the owner does not, and renewing passes at the limit", async (t) => {
  const { owner, db } = await startApp(t);
  setPlan(db, 'four', { sites: null, members: 4, events: null });
  changePlan(db, owner.id, findPlan(db, 'four')?.id ?? 0);
  const invite = (n: number) => owner.ask('POST', '/team', { email: `n${n}@example.com`, role: 'viewer' });
  const answers = await Promise.all([1, 2, 3, 4].map(invite));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 402, 402]);
  const pending: Member[] = (await owner.ask('GET', '/team')).body.data.members;
  const open = pending.find(({ status }) => status === 'invited');
  assert.equal((await owner.ask('POST', '/team', { email: open?.email, role: 'manager' })).status, 201);
  assert.equal((await owner.ask('DELETE', `/team/${open?.id}`)).status, 204);
  assert.equal((await invite(9)).status, 201);
});

test('a changed role and a removal act at once', async (t) => {
  const { owner, viewer, siteId } = await startApp(t);
  const members: Member[] = (await owner.ask('GET', '/team')).body.data.members;
  const { id } = members.find(({ email }) => email === viewer.email) as Member;
  const note = { date: '2026-03-10', text: 'x' };
  assert.equal((await viewer.ask('POST', `/sites/${siteId}/notes`, note)).status, 403);
  const changed = await owner.ask('PATCH', `/team/${id}`, { role: 'manager' });
  assert.deepEqual([changed.status, dataOf(changed, 'PATCH', `/team/${id}`).role], [200, 'manager']);
  assert.equal((await viewer.ask('POST', `/sites/${siteId}/notes`, note)).status, 201);
  assert.equal((await owner.ask('PATCH', `/team/${id}`, {})).body.data.role, 'manager');
  assert.equal((await owner.ask('PATCH', `/team/${id}`, { role: 'owner' })).status, 422);
  assert.equal((await owner.ask('DELETE', `/team/${id}`)).status, 204);
  assert.equal((await viewer.ask('GET', `/sites/${siteId}`)).status, 404);
  assert.equal((await owner.ask('PATCH', `/team/${id}`, { role: 'viewer' })).status, 404);
});
