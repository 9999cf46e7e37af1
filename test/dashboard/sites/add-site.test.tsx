import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../src/api/account.ts';
import type { Team } from '../../../src/api/team.ts';
import { ownersFor } from '../../../src/dashboard/sites/owners.ts';

const account = (sites: number | null): Account => ({
  id: 1,
  email: 'ann@example.com',
  plan: 'any',
  events_used: 0,
  events_included: null,
  limits: { sites, members: null, tokens: 25, funnels_per_site: 10 },
  abilities: ['read'],
});

const team: Team = {
  members: [],
  limit: null,
  teams: [
    { account_id: 2, owner: 'bob@example.com', role: 'manager', sites: null },
    { account_id: 4, owner: 'dot@example.com', role: 'manager', sites: [7] },
    { account_id: 3, owner: 'cid@example.com', role: 'viewer', sites: null },
  ],
};

test('a site may go to the own account, unless its plan is without any, and to those that are managed', () => {
  const own = { id: 1, name: 'Your account (ann@example.com)' };
  const managed = { id: 2, name: 'bob@example.com' };
  assert.deepEqual(ownersFor(account(null), team), [own, managed]);
  assert.deepEqual(ownersFor(account(3), { ...team, teams: [] }), [own]);
  assert.deepEqual(ownersFor(account(0), team), [managed]);
  assert.deepEqual(ownersFor(account(0), { ...team, teams: [] }), []);
});
