import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  followJourneys,
  type JourneyTree,
  MOST_FOLLOWED,
  MOST_NEXT,
  MOST_STEPS,
  makeTree,
  ONLY_ROOT,
} from '../../src/stats/journeys.ts';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import type { Question } from './naive.ts';
import { invalid, missing, refusal } from './refusal.ts';
import { openSite } from './stage.ts';
import type { Query } from './visits.ts';

const about = (query: Query = {}): Question => ({ path: 'journeys', query });

/** A visit with a hit each minute. A name without a slash is an event on the page before it. */
function visit(visitor: number, ...names: string[]): Hit[] {
  let page = '/';
  return names.map((name, i) => {
    const isPage = name.startsWith('/');
    if (isPage) page = name;
    return pageview({ day: TODAY, visitor, second: 60 * i, page, event: isPage ? '' : name });
  });
}

type Node = { value: string; visits: number; share: number; ended: number; next: Node[] };

/** Writes a tree as lines: value, visits, share and how many ended. */
const write = ({ value, visits, share, ended, next }: Node, indent = ''): string[] => [
  `${indent}${value} ${visits} ${share}% ${ended}`,
  ...next.flatMap((one) => write(one, `${indent}  `)),
];

const VISITS = [
  visit(1, '/', '/a', '/a', '/b', '/'),
  visit(2, '/', '/b', '/b'),
  visit(3, '/guide/1', '/guide/2', '/a', '/guide/1', 'buy', '/done'),
  visit(4, '/a', 'buy', '/a', 'buy'),
  visit(5, '/'),
  visit(6, '/', '/c', '/d'),
].flat();

test('journeys are trees of what visits saw next or before, from an entry, a page, a pattern or a goal', async (t) => {
  const app = await startApp(t);
  const { store, ask, known } = await openSite(app, {
    goals: [
      { type: 'event', value: 'buy' },
      { type: 'page', value: '/guide/*' },
    ],
  });
  await store(VISITS);
  const [buy, guide] = known.goals.map(({ id }) => `goal:${id}`) as [string, string];
  const cases: [Query, string[]][] = [
    [
      { steps: '2', limit: '2' },
      [
        'entry 6 100% 0',
        ...['  / 4 66.7% 1', '    /a 1 25% 0', '    /b 1 25% 1', '    (other) 1 25% 0'],
        ...['  /a 1 16.7% 1', '  (other) 1 16.7% 0'],
      ],
    ],
    [{ from: '/' }, ['/ 4 66.7% 1', '  /a 1 25% 0', '    /b 1 100% 0', '      / 1 100% 1', ...ofRest()]],
    [{ from: '/b', direction: 'before' }, ['/b 2 33.3% 0', '  / 1 50% 1', '  /a 1 50% 0', '    / 1 100% 1']],
    [
      { from: '/guide/*', steps: '5' },
      ['/guide/* 1 16.7% 0', '  /a 1 100% 0', '    /guide/1 1 100% 0', '      /done 1 100% 1'],
    ],
    [{ from: guide, steps: '1' }, [`${guide} 1 16.7% 0`, '  /a 1 100% 0']],
    [{ from: buy }, [`${buy} 2 33.3% 0`, '  /a 1 50% 1', '  /done 1 50% 1']],
    [
      { from: buy, direction: 'before', steps: '2', limit: '1' },
      [`${buy} 2 33.3% 0`, '  /a 1 50% 1', '  (other) 1 50% 0'],
    ],
    [{ from: '/never' }, ['/never 0 0% 0']],
  ];
  function ofRest(): string[] {
    return ['  /b 1 25% 1', '  /c 1 25% 0', '    /d 1 100% 1'];
  }
  for (const moment of ['open', 'sealed']) {
    for (const [query, expected] of cases) {
      const { root } = await ask(about({ range: '7d', ...query }));
      assert.deepEqual(write(root), expected, `${moment} ${JSON.stringify(query)}`);
    }
    app.clock.pass(86_400);
    await app.seal();
  }
});

test('the entries of journeys are those of the breakdown, also if a visit begins with an event', async (t) => {
  const app = await startApp(t);
  const { store, ask } = await openSite(app);
  await store([...VISITS, ...visit(7, 'signup', '/', '/e')]);
  const { root } = await ask(about({ limit: '20' }));
  const { rows } = await ask({ path: 'breakdown/entry_pages', query: { metrics: 'visits' } });
  const entries = root.next.map(({ value, visits }: Node) => ({ value, visits }));
  assert.deepEqual(
    entries,
    rows.map(({ value, visits }: { value: string; visits: number }) => ({ value, visits })),
  );
});

test('a journey names the parameter that is wrong', async (t) => {
  const app = await startApp(t);
  const cases: [query: string, field: string][] = [
    ...['', 'pricing', 'goal:', 'goal:x', 'goal:0', 'goal:-1', 'Entry', `/${'*'.repeat(17)}`].map(
      (from): [string, string] => [`from=${from}`, 'from'],
    ),
    ...['', 'back', 'After'].map((direction): [string, string] => [`from=/&direction=${direction}`, 'direction']),
    ...['', '0', '6', '1.5', 'x'].map((steps): [string, string] => [`steps=${steps}`, 'steps']),
    ...['', '0', '21', '-1'].map((limit): [string, string] => [`limit=${limit}`, 'limit']),
    ['direction=before', 'direction'],
    ['from=entry&direction=before', 'direction'],
  ];
  for (const [query, field] of cases) {
    const path = `journeys?${query}`;
    assert.deepEqual(await refusal(app, path), invalid(path, field));
  }
  const path = 'journeys?from=goal:999';
  assert.deepEqual(await refusal(app, path), missing(path));
});

test('a page in from is spelled as it is stored', async (t) => {
  const app = await startApp(t);
  const { store, ask } = await openSite(app);
  await store(visit(1, '/%C3%BCber', '/b'));
  for (const from of ['/über/', '/%C3%BCber?utm_term=x', '/%C3%BCber#top']) {
    const { root } = await ask(about({ from }));
    assert.deepEqual(write(root), ['/%C3%BCber 1 100% 0', '  /b 1 100% 1'], from);
  }
  const { root } = await ask(about({ from: '/ü*' }));
  assert.deepEqual(write(root), ['/%C3%BC* 1 100% 0', '  /b 1 100% 1']);
});

test('journeys: a tree stays small enough to be sent at once, however different the visits are', async () => {
  const limit = MOST_NEXT;
  const query = { name: 'entry', limit, steps: MOST_STEPS, followed: ONLY_ROOT };
  /** Each followed page has 30 next pages, so each node of the tree is full. */
  const measure = async ({ followed: { nodes, open } }: typeof query) => ({
    journeys: nodes.flatMap((_, node) =>
      node < open ? [] : Array.from({ length: 30 }, (_, n) => ({ node, value: `/${n}`, visits: 30 - n, ended: 0 })),
    ),
  });
  const { query: last, measured } = await followJourneys(query, measure);
  const count = ({ next }: JourneyTree): number => next.reduce((sum, one) => sum + count(one), 1);
  const full = (followed: number): number => followed * (limit + 1);
  assert.ok(count(makeTree(last, measured.journeys)) <= 1 + full(1) + full(limit) + 3 * full(MOST_FOLLOWED));
  assert.ok(MOST_FOLLOWED < 1_000);
});
