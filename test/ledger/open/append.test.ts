import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { makeAppender } from '../../../src/ledger/open/append.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { TEXT_FIELDS, type TextField } from '../../../src/stats/dimensions.ts';
import { activityOf, asKept, type Hit, pageview, storedDrops, storedHits, TODAY } from '../../collect/stage.ts';
import { anyProperties } from '../../stats/any-hit.ts';
import { anyText } from '../../support/text.ts';
import { numbered, range, stage, visitorsIn } from '../appending.ts';

test('all that waits goes into one transaction, in the order in which it came', async (t) => {
  const { append, other, writes } = stage(t);
  const appended = numbered(500).map((hit) => append([hit]));
  assert.equal(writes(), 0);
  await Promise.all(appended);
  assert.equal(writes(), 1);
  assert.deepEqual(visitorsIn(other), range(500));
});

test('a transaction takes 1,000 hits, or one request that brings more', async (t) => {
  const { append, other, writes } = stage(t);
  await Promise.all(numbered(2_500).map((hit) => append([hit])));
  assert.equal(writes(), 3);
  const before = writes();
  const [first, second, third] = [numbered(900, 2_500), numbered(900, 3_400), numbered(100, 4_300)];
  await Promise.all([append(first), append(second), append(third)]);
  assert.equal(writes() - before, 2);
  await append(numbered(1_500, 4_400));
  assert.equal(writes() - before, 3);
  assert.deepEqual(visitorsIn(other), range(5_900));
});

test('what comes one after the other is each on the disk before it is acknowledged', async (t) => {
  const { append, other, writes } = stage(t);
  for (const hit of numbered(50)) {
    await append([hit]);
    assert.equal(visitorsIn(other).at(-1), hit.visitor);
  }
  assert.equal(writes(), 50);
});

test('whoever is acknowledged among many finds what they sent in the file, and nothing is there twice', async (t) => {
  const { append, other } = stage(t);
  const seen = async (hits: Hit[]): Promise<void> => {
    await append(hits);
    for (const { visitor } of hits) {
      assert.deepEqual(other.one('SELECT count(*) AS n FROM hit WHERE visitor = ?', visitor), { n: 1 });
    }
  };
  const senders: Promise<void>[] = [];
  for (let n = 0; n < 1_200; n += 4) {
    senders.push(seen(numbered(n % 3 === 0 ? 4 : 1, n)));
    if (n % 40 === 0) await turn();
  }
  await Promise.all(senders);
  assert.equal(visitorsIn(other).length, new Set(visitorsIn(other)).size);
});

test('a steady stream puts the writing off for nobody', async (t) => {
  const { append, settle } = stage(t);
  let isStored = false;
  const first = append(numbered(1_500)).then(() => {
    isStored = true;
  });
  const others: Promise<void>[] = [];
  for (let n = 0; n < 100 && !isStored; n++) {
    others.push(append([pageview()]));
    await turn();
  }
  assert.equal(isStored, true);
  settle();
  await Promise.all([first, ...others]);
});

test('any hits that go in come out, in their order', async (t) => {
  const { append, other } = stage(t);
  const text = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('', 'a', '/', '(other)', 'ü', '😀') },
    { weight: 1, arbitrary: anyText({ maxLength: 20 }) },
  );
  const all = Object.fromEntries(TEXT_FIELDS.map((word) => [word, text])) as Record<TextField, typeof text>;
  const texts = { ...all, properties: anyProperties };
  const numbers = {
    siteId: fc.constantFrom(1, 2),
    day: fc.integer({ min: TODAY, max: TODAY + 40 }),
    second: fc.nat(86_399),
    visitor: fc.maxSafeNat(),
    engaged: fc.option(fc.nat(86_400)),
  };
  const hit: fc.Arbitrary<Hit> = fc.record({ ...numbers, ...texts }, { noNullPrototype: true });
  const sent: Hit[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(hit, { maxLength: 5 }), { maxLength: 8 }), async (requests) => {
      await Promise.all(requests.map((hits) => append(hits)));
      const hits = requests.flat();
      sent.push(...hits);
      assert.deepEqual(storedHits(other).slice(sent.length - hits.length), hits.map(asKept));
    }),
    { numRuns: 40 },
  );
  assert.deepEqual(storedHits(other), sent.map(asKept));
  const used = sent.filter(({ engaged }) => engaged === null).length;
  assert.deepEqual(other.one('SELECT coalesce(sum(events), 0) AS n FROM usage'), { n: used });
});

test('settle writes at once what is waiting', async (t) => {
  const { append, countDrop, settle, other } = stage(t);
  const appended = Promise.all(numbered(2_500).map((hit) => append([hit])));
  countDrop({ siteId: 1, day: TODAY, reason: 'bot' });
  settle();
  assert.equal(visitorsIn(other).length, 2_500);
  assert.deepEqual(storedDrops(other, 1), { bot: 1 });
  await appended;
  await append([pageview()]);
  assert.equal(visitorsIn(other).length, 2_501);
});

test('a change of settings that is kept alongside stays with its batch, or neither does', async (t) => {
  const { db, other } = stage(t);
  const { append } = makeAppender(db, { log: () => {}, clock: { now: () => TODAY * 86_400_000, tick: () => 0 } });
  const rename = (name: string) => () => void db.run('UPDATE plan SET name = ? WHERE id = 1', name);
  const nameNow = () => other.one<{ name: string }>('SELECT name FROM plan WHERE id = 1')?.name;
  await append({ activities: [activityOf(pageview())], alongside: rename('first') });
  assert.deepEqual([nameNow(), storedHits(other).length], ['first', 1]);
  const refusal = new Refusal('not now');
  const failing = () => {
    rename('second')();
    throw refusal;
  };
  await assert.rejects(append({ activities: [activityOf(pageview())], alongside: failing }), refusal);
  assert.deepEqual([nameNow(), storedHits(other).length], ['first', 1]);
});
