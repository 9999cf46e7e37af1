import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupsOf } from '../../../src/dashboard/sites/site-list.tsx';
import { SITE } from '../components.tsx';

const TEAMS = [{ account_id: 2, owner: 'bob@example.com', role: 'viewer' as const, sites: null }];

const mine = { ...SITE, id: 1, domain: 'mine.example', account_id: 1, role: 'owner' as const };
const theirs = { ...SITE, id: 2, domain: 'theirs.example', account_id: 2, role: 'viewer' as const };

test('sites of several accounts are in groups by their owner, the own first, each in the order of the list', () => {
  const other = { ...theirs, id: 3, domain: 'another.example' };
  const found = groupsOf([theirs, mine, other], TEAMS);
  assert.deepEqual(
    found.map(({ name, sites }) => [name, ...sites.map(({ domain }) => domain)]),
    [
      ['Your sites', 'mine.example'],
      ['bob@example.com', 'theirs.example', 'another.example'],
    ],
  );
});

test('sites of one account need no name of it', () => {
  assert.deepEqual(groupsOf([mine], TEAMS), [{ accountId: 1, name: '', sites: [mine] }]);
  assert.deepEqual(groupsOf([], TEAMS), []);
});
