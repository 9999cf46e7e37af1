import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFamilies } from '../../src/metrics/families.ts';

test('a counter without labels is there from the beginning, one with labels for each it has seen', async () => {
  const { counter, text } = makeFamilies();
  const plain = counter('plain_total', 'Of anything.');
  const split = counter('split_total', 'By kind.', ['kind', 'place']);
  assert.equal(
    await text(),
    '# HELP plain_total Of anything.\n# TYPE plain_total counter\nplain_total 0\n# HELP split_total By kind.\n# TYPE split_total counter\n',
  );
  plain.add();
  plain.add([], 4);
  split.add(['a', 'x']);
  split.add(['a', 'x']);
  split.add(['a', 'y'], 3);
  assert.match(await text(), /\nplain_total 5\n/);
  assert.match(await text(), /\nsplit_total\{kind="a",place="x"\} 2\nsplit_total\{kind="a",place="y"\} 3\n$/);
});

test('what a label holds cannot end it', async () => {
  const { counter, text } = makeFamilies();
  counter('a_total', 'A.', ['a']).add(['"} 1\nb_total 2 \\']);
  assert.ok((await text()).endsWith('\na_total{a="\\"} 1\\nb_total 2 \\\\"} 1\n'));
});

test('each bucket of a histogram holds what is in those before it, and its own end', async () => {
  const { histogram, text } = makeFamilies();
  const { observe } = histogram('took_seconds', 'How long.', [0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 1, 2]) observe(value);
  assert.ok(
    (await text()).endsWith(
      '\ntook_seconds_bucket{le="0.1"} 2\ntook_seconds_bucket{le="1"} 4\ntook_seconds_bucket{le="+Inf"} 5\ntook_seconds_sum 3.65\ntook_seconds_count 5\n',
    ),
    await text(),
  );
});

test('a gauge is read when somebody asks, and tells nothing where there is nothing', async () => {
  const { gauge, text } = makeFamilies();
  let value: number | undefined;
  gauge('now', 'Now.', () => value);
  assert.ok((await text()).endsWith('# TYPE now gauge\n'));
  value = 2.5;
  assert.ok((await text()).endsWith('\nnow 2.5\n'));
});

test('metrics: work that takes time is done before each text', async () => {
  const { gauge, prepare, text } = makeFamilies();
  let value = 0;
  gauge('looks', 'Looks.', () => value);
  prepare(async () => {
    value++;
  });
  assert.ok((await text()).endsWith('\nlooks 1\n'));
  assert.ok((await text()).endsWith('\nlooks 2\n'));
});
