import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/helpers.ts';

const FEW = { name: 'Few', metric: 'visitors', condition: 'below', threshold: 10 };

test('alerts: a manager adds and removes one, and a viewer sees it', async (t) => {
  const { manager, viewer, siteId } = await startApp(t);
  const path = `/sites/${siteId}/alerts`;
  const added = await manager.ask('POST', path, { ...FEW, filters: { country: 'DE', page: { like: ['/blog/*'] } } });
  const expected = {
    ...{ id: 1, ...FEW, goal_id: null, created_at: '2026-03-10T12:00:00Z' },
    filters: { country: 'DE', page: { like: ['/blog/*'] } },
  };
  assert.deepEqual([added.status, added.body.data], [201, expected]);
  assert.deepEqual((await viewer.ask('GET', path)).body.data, [expected]);
  assert.equal((await manager.ask('DELETE', `${path}/1`)).status, 204);
  assert.deepEqual((await manager.ask('GET', path)).body.data, []);
});

test('alerts: a wrong field is named', async (t) => {
  const { owner, stranger, siteId, strangerSiteId } = await startApp(t);
  const path = `/sites/${siteId}/alerts`;
  const goal = await stranger.ask('POST', `/sites/${strangerSiteId}/goals`, { type: 'page', value: '/thanks' });
  const foreign = goal.body.data.id;
  const cases: [object, string][] = [
    [{ ...FEW, threshold: undefined }, 'threshold'],
    [{ ...FEW, threshold: -1 }, 'threshold'],
    [{ ...FEW, threshold: 1.5 }, 'threshold'],
    [{ ...FEW, condition: 'unusual' }, 'threshold'],
    [{ ...FEW, condition: 'equal' }, 'condition'],
    [{ ...FEW, metric: 'bounce_rate' }, 'metric'],
    [{ ...FEW, metric: 'conversions' }, 'goal_id'],
    [{ ...FEW, metric: 'conversions', goal_id: foreign }, 'goal_id'],
    [{ ...FEW, goal_id: foreign }, 'goal_id'],
    [{ ...FEW, name: '' }, 'name'],
    [{ ...FEW, filters: { planet: 'Mars' } }, 'filters.planet'],
  ];
  for (const [body, field] of cases) {
    const { status, body: answer } = await owner.ask('POST', path, body);
    assert.deepEqual([status, Object.keys(answer.error.fields)], [422, [field]], JSON.stringify(body));
  }
});

test('alerts: a site has at most twenty, and one about a goal goes with its goal', async (t) => {
  const { owner, siteId } = await startApp(t);
  const path = `/sites/${siteId}/alerts`;
  const goal = await owner.ask('POST', `/sites/${siteId}/goals`, { type: 'page', value: '/thanks' });
  const goalId = goal.body.data.id;
  await owner.ask('POST', path, { ...FEW, metric: 'conversions', goal_id: goalId });
  for (let n = 1; n < 20; n++) assert.equal((await owner.ask('POST', path, FEW)).status, 201);
  const { status, body } = await owner.ask('POST', path, FEW);
  assert.deepEqual([status, body.error.message_code.code], [402, 'most_alerts']);
  await owner.ask('DELETE', `/sites/${siteId}/goals/${goalId}`);
  assert.equal((await owner.ask('GET', path)).body.data.length, 19);
});
