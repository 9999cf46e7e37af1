import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawBand, layOut, listNodes, type Node } from '../../../../src/dashboard/report/model/journey-layout.ts';

const node = (value: string, visits: number, ended: number, ...next: Node[]): Node => ({
  ...{ value, visits, ended, next },
  share: 0,
});

const TREE = node(
  '/',
  200,
  20,
  node('/shop', 100, 40, node('/cart', 60, 60)),
  node('/docs', 50, 10, node('/docs/start', 30, 30), node('(other)', 10, 5)),
  node('(other)', 30, 30),
);

const written = (path: string[]): string[][] =>
  layOut(TREE, path).map(({ entries }) =>
    entries.map(({ kind, value, visits, isChosen }) => `${isChosen ? '*' : ''}${value || kind} ${visits}`),
  );

test('journeys: the columns follow the chosen pages, and then the page with the most visits', () => {
  assert.deepEqual(written([]), [
    ['*/ 200'],
    ['*/shop 100', '/docs 50', '(other) 30', 'ended 20'],
    ['*/cart 60', 'ended 40'],
  ]);
  assert.deepEqual(written(['/docs']), [
    ['*/ 200'],
    ['/shop 100', '*/docs 50', '(other) 30', 'ended 20'],
    ['*/docs/start 30', '(other) 10', 'ended 10'],
  ]);
  for (const gone of ['/gone', '(other)']) assert.deepEqual(written([gone]), written([]));
  assert.deepEqual(
    layOut(node('/', 0, 0), []).map(({ entries }) => entries.length),
    [1],
  );
});

test('journeys: bars and bands have one scale, and each place has room for a name', () => {
  const [first, second, third] = layOut(TREE, ['/docs']);
  const [root] = first?.entries ?? [];
  for (const column of [second, third]) {
    for (const [i, { visits, bar, place, top }] of (column?.entries ?? []).entries()) {
      assert.equal(bar, ((root?.bar ?? 0) * visits) / 200);
      assert.ok(place >= bar && place >= 42);
      assert.equal(column?.bands[i]?.width, bar);
      assert.equal(column?.bands[i]?.to, top);
    }
  }
  assert.equal(second?.bands[0]?.from, 0);
  // The bands leave the bar of the chosen page.
  const chosen = second?.entries.find(({ isChosen }) => isChosen);
  assert.equal(third?.bands[0]?.from, chosen?.top);
  const last = third?.bands.at(-1);
  assert.equal((last?.from ?? 0) + (last?.width ?? 0), (chosen?.top ?? 0) + (chosen?.bar ?? 0));
  assert.equal(
    drawBand({ from: 0, to: 10, width: 5, isChosen: true, isEnded: false }),
    'M0 0C50 0 50 10 100 10v5C50 15 50 5 0 5z',
  );
});

test('journeys: a file lists each node with the pages on the way', () => {
  assert.deepEqual(
    listNodes(TREE).map(({ step, way, node: { visits } }) => `${step} ${way.join(' > ')} ${visits}`),
    [
      ...['0 / 200', '1 / > /shop 100', '2 / > /shop > /cart 60', '1 / > /docs 50'],
      ...['2 / > /docs > /docs/start 30', '2 / > /docs > (other) 10', '1 / > (other) 30'],
    ],
  );
});
