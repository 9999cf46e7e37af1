import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROWSER } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';

const page = (value: string) => ({ type: 'page', value });
const steps = (count: number) => Array.from({ length: count }, (_, i) => page(`/${i}`));

test('a funnel keeps its steps in order, each in the form of a goal', async (t) => {
  const { manager, siteId } = await startApp(t);
  const path = `/sites/${siteId}/funnels`;
  const given = [page('/z/'), { type: 'event', value: 'buy' }, page('/a'), page('/z')];
  const answer = await manager.ask('POST', path, { name: 'Buy 🎉', steps: given });
  assert.equal(answer.status, 201);
  const funnel = dataOf(answer, 'POST', path);
  assert.deepEqual(funnel.steps, [page('/z'), { type: 'event', value: 'buy' }, page('/a'), page('/z')]);
  assert.deepEqual(dataOf(await manager.ask('GET', path), 'GET', path), [funnel]);
});

test('2 to 8 steps pass, and the wrong one is named by its place', async (t) => {
  const { manager, siteId } = await startApp(t);
  const ask = (body: unknown) => manager.ask('POST', `/sites/${siteId}/funnels`, body);
  for (const [count, status] of [
    [0, 422],
    [1, 422],
    [2, 201],
    [8, 201],
    [9, 422],
  ]) {
    assert.equal((await ask({ name: 'x', steps: steps(count ?? 0) })).status, status, `${count} steps`);
  }
  const wrong: [unknown, string[]][] = [
    [{ steps: steps(2) }, ['name']],
    [{ name: '', steps: steps(2) }, ['name']],
    [{ name: 'x'.repeat(101), steps: 'x' }, ['name', 'steps']],
    [{ name: 'x', steps: [page('/a'), page('b')] }, ['steps.1.value']],
    [{ name: 'x', steps: [{ type: 'visit', value: 'x' }, page('/b')] }, ['steps.0.type']],
    [{ name: 'x', steps: [{ ...page('/a'), note: 1 }, page('/b')] }, ['steps.0.note']],
    [{ name: 'x', steps: [null, page('/b')] }, ['steps.0']],
  ];
  for (const [body, fields] of wrong) {
    const answer = await ask(body);
    assert.equal(answer.status, 422, JSON.stringify(body));
    assert.deepEqual(Object.keys(answer.body.error.fields), fields);
  }
});

test('the eleventh funnel is refused before its body is looked at, and parallel ones do not pass', async (t) => {
  const { manager, siteId } = await startApp(t);
  const path = `/sites/${siteId}/funnels`;
  const answers = await Promise.all(
    Array.from({ length: 13 }, (_, i) => manager.ask('POST', path, { name: `f${i}`, steps: steps(2) })),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 10);
  const refused = await manager.ask('POST', path, 'not json');
  assert.deepEqual([refused.status, refused.body.error.code], [402, 'limit_reached']);
  const [first] = (await manager.ask('GET', path)).body.data;
  assert.equal((await manager.ask('DELETE', `${path}/${first.id}`)).status, 204);
  assert.equal((await manager.ask('POST', path, { name: 'again', steps: steps(2) })).status, 201);
});

test('a funnel gets another name or other steps, by which the past is counted too', async (t) => {
  const { ask, manager, siteId } = await startApp(t);
  const path = `/sites/${siteId}/funnels`;
  for (const at of ['/1', '/2', '/3']) {
    const body = { site: 'example.com', url: `https://example.com${at}` };
    assert.equal((await ask('POST', '/day', { body, headers: BROWSER })).status, 202);
  }
  const funnel = (await manager.ask('POST', path, { name: 'a', steps: [page('/1'), page('/none')] })).body.data;
  const own = `${path}/${funnel.id}`;
  for (const change of [{ name: 'b' }, { steps: [page('/1'), page('/2'), page('/3/')] }, { name: 'c' }, {}]) {
    const answer = await manager.ask('PATCH', own, change);
    assert.equal(answer.status, 200);
    const kept = 'steps' in change ? { steps: [page('/1'), page('/2'), page('/3')] } : change;
    assert.deepEqual(dataOf(answer, 'PATCH', own), Object.assign(funnel, kept));
    assert.deepEqual((await manager.ask('GET', path)).body.data, [funnel]);
  }
  const report = (await manager.ask('GET', `/sites/${siteId}/stats/funnels/${funnel.id}?range=today`)).body.data;
  assert.equal(report.funnel.name, 'c');
  assert.deepEqual(
    report.steps.map(({ visitors }: { visitors: number }) => visitors),
    [1, 1, 1],
  );
});

test('a change with one wrong field changes nothing of a funnel, and ten funnels may all be changed', async (t) => {
  const { manager, siteId } = await startApp(t);
  const path = `/sites/${siteId}/funnels`;
  for (let n = 0; n < 10; n++) await manager.ask('POST', path, { name: `f${n}`, steps: steps(2) });
  const before = (await manager.ask('GET', path)).body.data;
  const own = `${path}/${before[0].id}`;
  for (const [body, field] of [
    [{ name: '' }, 'name'],
    [{ name: 'x', steps: steps(1) }, 'steps'],
    [{ name: 'x', steps: [page('/a'), page('b')] }, 'steps.1.value'],
    [{ name: 'x', created_at: 1 }, 'created_at'],
  ] as const) {
    const answer = await manager.ask('PATCH', own, body);
    assert.deepEqual([answer.status, Object.keys(answer.body.error.fields)], [422, [field]]);
  }
  assert.deepEqual((await manager.ask('GET', path)).body.data, before);
  assert.equal((await manager.ask('PATCH', own, { name: 'x' })).status, 200);
});
