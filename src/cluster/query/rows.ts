import { byCodePoint } from '../../lib/code-points.ts';
import { containing } from '../../lib/search.ts';
import { BREAKDOWNS, type Breakdown, DIMENSIONS } from '../../stats/dimensions.ts';
import type { Row } from '../../stats/measured.ts';
import { findFigure, type SumName } from '../../stats/metrics.ts';
import type { Of } from '../../stats/question.ts';
import { type Count, hitsOf, IS_BOUNCE, pageviewsThat, type Reach, type Selection, VISITOR, WHO } from './aggregate.ts';
import { type Bind, reaches } from './filters.ts';

const HIT_VALUE = { page: 'p', event: 'e', label: 'l' } as const;

const SAME = { page: 'same_page', event: 'same_event', label: 'same_label' } as const;

/** By which the first hit of a visit with a value is known; nothing where that one may be on a page that does not count. */
const sameOf = (name: keyof typeof SAME, counted: string) =>
  counted === '1' || name === 'page' ? SAME[name] : undefined;

/** What is counted of the rows of a breakdown. */
function sumsOf(
  breakdown: Breakdown,
  goal: Of<'breakdown'>['goal'],
  counted: string,
  bind: Bind,
): Partial<Record<SumName, string>> {
  const name = BREAKDOWNS[breakdown];
  if (DIMENSIONS[name].kind === 'hit') {
    const same = sameOf(name as keyof typeof SAME, counted);
    const visits = same ? `countIf(${same} = 1)` : `uniqExact(${WHO}, start)`;
    return { hits: 'count()', visits, told: 'countIf(n > 0)', seen: 'sum(n)' };
  }
  const converting = goal ? `arrayCount((p, e) -> ${reaches(goal, bind)}, h_page, h_event)` : '0';
  return {
    visits: 'count()',
    pageviews: `sum(${pageviewsThat(counted)})`,
    bounces: `countIf(${IS_BOUNCE})`,
    seconds: 'sum(seconds)',
    conversions: `sum(${converting})`,
    converted: `uniqExactIf(${VISITOR}, ${converting} > 0)`,
  };
}

/** Which hits a breakdown of hits has as rows. */
function hitsThat(breakdown: Breakdown, event: string | undefined, counted: string, bind: Bind): string {
  const KINDS = {
    pages: "e = ''",
    events: "e <> ''",
    event_labels: `e <> '' AND e = ${bind(event ?? '')}`,
  } as Partial<Record<Breakdown, string>>;
  return `${KINDS[breakdown]} AND ${counted}`;
}

type CountedRow = { value: string; visitors: number } & Partial<Record<SumName, number>>;

export async function rows(
  count: Count,
  { where, counted, bind }: Selection,
  question: Of<'breakdown'>,
  reach: Pick<Reach, 'ranges'>,
): Promise<Row[]> {
  const { breakdown, event, metrics = [], goal, sort, search = '', offset = 0, limit } = question;
  const name = BREAKDOWNS[breakdown];
  const { kind, keepsEmpty } = DIMENSIONS[name];
  const needed = new Set(metrics.flatMap((metric) => findFigure(breakdown, metric)?.needs ?? []));
  const all = sumsOf(breakdown, goal, counted, bind);
  const sums = Object.fromEntries([...needed].map((sum) => [sum, all[sum] ?? '0']));
  const value = kind === 'hit' ? HIT_VALUE[name as keyof typeof HIT_VALUE] : name;
  const same = kind === 'hit' && needed.has('visits') ? sameOf(name as keyof typeof SAME, counted) : undefined;
  const more = [
    ...(name === 'label' ? (['l'] as const) : []),
    ...(needed.has('seen') ? (['n'] as const) : []),
    ...(same ? [same] : []),
  ];
  const found = await count<CountedRow>(
    { ...reach, where },
    {
      keys: { value },
      sums: { visitors: `uniqExact(${VISITOR})`, ...sums },
      from:
        kind === 'hit'
          ? (visits) => hitsOf(visits, hitsThat(breakdown, event, counted, bind), more)
          : (visits) => visits,
      fromRollups: {
        sums: { visitors: 'visitors', hits: 'hits' },
        where: `dimension = '${breakdown}'${breakdown === 'event_labels' ? ` AND event = ${bind(event ?? '')}` : ''}`,
      },
    },
  );
  const figure = sort && findFigure(breakdown, sort);
  // No figure is below 0, so that what is not known comes last.
  const rankOf = (row: CountedRow): number => (figure ? (figure.exact(row) ?? -1) : row.visitors);
  const isFound = containing(search);
  return found
    .filter(({ value }) => (keepsEmpty || value !== '') && isFound(value))
    .map((row) => ({ row, rank: rankOf(row) }))
    .sort((one, other) => other.rank - one.rank || byCodePoint(one.row.value, other.row.value))
    .slice(offset, offset + limit)
    .map(({ row: { value, visitors, ...sums } }) =>
      metrics.length === 0 ? { value, visitors } : { value, visitors, sums: { visitors, ...sums } },
    );
}
