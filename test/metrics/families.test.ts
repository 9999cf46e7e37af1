import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFamilies } from '../../src/metrics/families.ts';

test('a counter without labels is there from the beginning, one with labels for each it has seen', () => {
  const { counter, text } = makeFamilies();
  const plain = counter('plain_total', 'Of anything.');
  const split = counter('split_total', 'By kind.', ['kind', 'place']);
  assert.equal(
    text(),
    '# HELP plain_total Of anything.\n# TYPE plain_total counter\nplain_total 0\n# HELP split_total By kind.\n# TYPE split_total counter\n',
  );
  plain.add();
  plain.add([], 4);
  split.add(['a', 'x']);
  split.add(['a', 'x']);
  split.add(['a', 'y'], 3);
  assert.match(text(), /\nplain_total 5\n/);
  assert.match(text(), /\nsplit_total\{kind="a",place="x"\} 2\nsplit_total\{kind="a",place="y"\} 3\n$/);
});

test('what a label holds cannot end it', () => {
  const { counter, text } = makeFamilies();
  counter('a_total', 'A.', ['a']).add(['"} 1\nb_total 2 \\']);
  assert.ok(text().endsWith('\na_total{a="\\"} 1\\nb_total 2 \\\\"} 1\n'));
});

test('each bucket of a histogram holds what is in those before it, and its own end', () => {
  const { histogram, text } = makeFamilies();
  const { observe } = histogram('took_seconds', 'How long.', [0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 1, 2]) observe(value);
  assert.ok(
    text().endsWith(
      '\ntook_seconds_bucket{le="0.1"} 2\ntook_seconds_bucket{le="1"} 4\ntook_seconds_bucket{le="+Inf"} 5\ntook_seconds_sum 3.65\ntook_seconds_count 5\n',
    ),
    text(),
  );
});

test('a gauge is read when somebody asks, and tells nothing where there is nothing', () => {
  const { gauge, text } = makeFamilies();
  let value: number | undefined;
  gauge('now', 'Now.', () => value);
  assert.ok(text().endsWith('# TYPE now gauge\n'));
  value = 2.5;
  assert.ok(text().endsWith('\nnow 2.5\n'));
});
