import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import type { Account } from '../../../src/api/account.ts';
import { PlanDetails } from '../../../src/dashboard/account/plan.tsx';
import { textIn } from '../components.tsx';

const ACCOUNT: Account = {
  id: 1,
  email: 'owner@example.com',
  plan: 'Small',
  events_used: 50,
  events_included: 200,
  limits: { sites: 3, members: null, tokens: 20, funnels_per_site: 10 },
  abilities: ['read'],
};

const shown = (change: Partial<Account>): string => renderToString(<PlanDetails account={{ ...ACCOUNT, ...change }} />);

test('a plan shows what is used of it, and its limits', () => {
  const html = shown({});
  assert.match(textIn(html), /^Your plan: Small Pageviews and events this month: 50 of 200 \(25.0%\)\./);
  assert.match(textIn(html), /Sites 3 People in your team no limit Access tokens 20 Funnels per site 10$/);
  assert.match(html, /<progress max="200" value="50"/);
});

test('more than the plan includes is said, and does not overflow the bar', () => {
  const html = shown({ events_used: 300 });
  assert.match(textIn(html), /You are over the limit of your plan\./);
  assert.match(html, /<progress max="200" value="200"/);
});

test('without a limit there is no bar, and without a plan there is nothing but the reason', () => {
  const html = shown({ events_included: null });
  assert.match(textIn(html), /There is no limit\./);
  assert.doesNotMatch(html, /<progress/);
  assert.equal(
    textIn(shown({ plan: null })),
    'You have no plan, so you cannot see reports. daybook still counts hits.',
  );
});
