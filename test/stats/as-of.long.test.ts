import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { share } from '../support/helpers.ts';
import { QUESTIONS, stage, TABLES } from './as-of-stage.ts';
import { date } from './days.ts';

type Staged = Awaited<ReturnType<typeof stage>>;

/** Numbers choose among what there is. */
const step = fc.record({
  kind: fc.constantFrom(
    ...['hits', 'hits', 'hits', 'late', 'exclude', 'include', 'goal', 'regoal', 'ungoal', 'main', 'import', 'replace'],
    ...['remove', 'delete', 'forget', 'sums', 'restart'],
  ),
  n: fc.nat(1_000),
});
type Step = { kind: string; n: number };

/** What of a site cannot be counted afterwards as it was. */
const LOSING = ['replace', 'remove', 'delete', 'forget'];

type Given = { day: string; texts: string[]; isLost: boolean };

const COUNTRIES = ['DE', 'FR', 'US'] as const;
const hitOf = (n: number) => ({
  visitor: (n % 5) + 1,
  second: 1_000 + ((n * 377) % 80_000),
  page: ['/a', '/b', '/b/c', '/i'][n % 4] as string,
  country: COUNTRIES[n % 3] as string,
  ...(n % 7 === 0 && { event: 'signup', page: '/a' }),
});

/** Does what a step says. Returns false where that is not possible. */
async function perform(all: Staged, { kind, n }: Step): Promise<boolean> {
  const { app, path, today, imports, exclusions, goals } = all;
  const choose = (some: number[]): number | undefined => some.splice(n % Math.max(1, some.length), 1)[0];
  app.clock.pass(60 + (n % 50));
  const day = today() - 1 - (n % 4);
  if (kind === 'hits') await all.store(Array.from({ length: (n % 6) + 1 }, (_, i) => hitOf(n + i * 13)));
  if (kind === 'late') await all.store([0, 1].map((i) => ({ ...hitOf(n + i), day })));
  if (kind === 'exclude') exclusions.push(await all.exclude(COUNTRIES[n % 3] as string, day, n % 2 ? null : day + 1));
  if (kind === 'include') {
    const id = choose(exclusions);
    if (id === undefined) return false;
    await app.owner.ask('DELETE', `${path}/exclusions/${id}`);
  }
  if (kind === 'goal') {
    const answer = await app.owner.ask('POST', `${path}/goals`, { type: 'page', value: `/${'abi'[n % 3]}` });
    if (answer.status === 201) goals.push(answer.body.data.id);
  }
  if (kind === 'regoal' && goals.length > 0) {
    await app.owner.ask('PATCH', `${path}/goals/${goals[n % goals.length]}`, { value: `/b/*`, type: 'page' });
  }
  if (kind === 'ungoal') await app.owner.ask('DELETE', `${path}/goals/${choose(goals) ?? 0}`);
  if (kind === 'main' && goals.length > 0)
    await app.owner.ask('PATCH', path, { main_goal_id: goals[n % goals.length] });
  if (kind === 'import' || kind === 'replace') {
    const brought = await all.bring(day, (n % 4) + 1, kind === 'replace').catch(() => undefined);
    if (brought === undefined) return false;
    imports.push(brought);
  }
  if (kind === 'remove') {
    const id = choose(imports);
    if (id === undefined) return false;
    await app.engine.imports.remove(all.siteId, id);
  }
  if (kind === 'delete') {
    const body = { from: date(day - (n % 2)), to: date(day) };
    // A day with late hits is not sealed.
    if ((await app.owner.ask('POST', `${path}/deletions`, body)).status !== 200) return false;
  }
  if (kind === 'forget') {
    app.db.run('UPDATE site SET keep_days = ? WHERE id = ?', (n % 5) + 1, all.siteId);
    await app.seal();
  }
  if (kind === 'sums') await app.engine.upkeep.remakeSums();
  if (kind === 'restart') await app.restart();
  return true;
}

test('as_of: over random histories each answer is, to the byte, the one that was given at the end of that day', async (t) => {
  const [told, refused] = [{ count: 0 }, { count: 0 }];
  const property = fc.asyncProperty(
    fc.array(fc.array(step, { maxLength: 6 }), { minLength: 2, maxLength: 6 }),
    async (days) => {
      const all = await stage(t);
      const given: Given[] = [];
      let isForgetting = false;
      const look = async ({ day, texts, isLost }: Given) => {
        for (const [i, answer] of (await all.askAll(day)).entries()) {
          const asked = { day, question: [...QUESTIONS, ...TABLES][i], days };
          if (answer.status === 422 && isLost && answer.text.includes('cannot be given any more')) refused.count++;
          else {
            told.count++;
            assert.deepEqual({ ...asked, text: answer.text }, { ...asked, text: texts[i] });
          }
        }
      };
      await all.store([0, 1, 2, 3].map(hitOf));
      for (const steps of days) {
        for (const one of steps) {
          const isDone = await perform(all, one);
          isForgetting ||= one.kind === 'forget';
          if (isDone && LOSING.includes(one.kind)) for (const before of given) before.isLost = true;
        }
        all.toEnd();
        const texts = (await all.askAll()).map(({ text }) => text);
        given.push({ day: date(all.today()), texts, isLost: isForgetting });
        await all.night();
        await look(given.at(-1) as Given);
      }
      for (const one of given) await look(one);
    },
  );
  await fc.assert(property, { numRuns: share(60) });
  t.diagnostic(`${told.count} answers were equal, ${refused.count} were refused`);
});
