// Makes SQL over the two tables. The SQL is the same for DuckDB and ClickHouse, except for what a `Dialect` writes.
import type { Condition, Filters, Span, Target } from './questions.ts';

export type Dialect = {
  /** Counts distinct visitors or visits exactly, in the fastest way of the engine. */
  distinct(column: 'visitor' | 'visit'): string;
  /** The hour of a hit. */
  hour: string;
  /** Selects each value with its distinct visitors. `from` selects the rows that count. */
  distinctBy(key: string, from: string): string;
  /** Selects one row: how many visitors with selected visits reached each step. */
  steps(targets: readonly Target[], chosen: Selection): string;
  /** With a page filter: selects each selected visit with its pageviews of this page, as `views`. */
  viewsBy(chosen: Selection & { page: string }): string;
};

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const among = (column: string, values: readonly string[]): string => `${column} IN (${values.map(quoted).join(', ')})`;

/** In LIKE, % and _ have a meaning. No word of the queries has one of them. */
const alike = (column: string, patterns: readonly string[]): string =>
  `(${patterns.map((pattern) => `${column} LIKE ${quoted(pattern.replaceAll('*', '%'))}`).join(' OR ')})`;

/** Makes a condition for hits that reach any of the targets. An IN is faster than several ORs. */
export function reachesAny(targets: readonly Target[]): string {
  const { page = [], event = [] } = Object.groupBy(targets, ({ type }) => type);
  const valuesOf = (some: readonly Target[]): string[] => some.map(({ value }) => value);
  const [patterns, pages] = [page.filter(isPattern), page.filter((target) => !isPattern(target))];
  const ways = [
    ...(pages.length > 0 ? [`${among('page', valuesOf(pages))} AND event = ''`] : []),
    ...(patterns.length > 0 ? [`${alike('page', valuesOf(patterns))} AND event = ''`] : []),
    ...(event.length > 0 ? [among('event', valuesOf(event))] : []),
  ];
  return `(${ways.join(' OR ')})`;
}

const isPattern = ({ type, value }: Target): boolean => type === 'page' && value.includes('*');

export const reaches = (target: Target): string =>
  isPattern(target)
    ? reachesAny([target])
    : target.type === 'page'
      ? `(page = ${quoted(target.value)} AND event = '')`
      : `event = ${quoted(target.value)}`;

/** The conditions by which a query selects visits. */
export type Selection = {
  /** Conditions on columns that both visits and hits have. */
  shared: string[];
  /** For each of these conditions, a hit of the visit must pass it. */
  some: string[];
  /** No hit of the visit may pass one of these conditions. */
  none: string[];
  /** The filters on hits, which also limit the hits that count. Together they are one of `some`. */
  page: string | undefined;
};

function conditionOn(column: string, asked: string | Condition): string {
  if (typeof asked === 'string') return `${column} = ${quoted(asked)}`;
  const { is, not, like, unlike } = asked;
  const all = [
    is && among(column, is),
    not && `NOT ${among(column, not)}`,
    like && alike(column, like),
    unlike && `NOT ${alike(column, unlike)}`,
  ];
  return all.filter(Boolean).join(' AND ');
}

type Asked = { filters: Filters; any?: Filters[] };

/** Groups of filters may have attributes of visits only. */
const eitherOf = (groups: readonly Filters[]): string =>
  `(${groups
    .map(({ goal: _, ...group }) =>
      Object.entries(group)
        .map(([column, asked]) => conditionOn(column, asked))
        .join(' AND '),
    )
    .join(' OR ')})`;

export function selection({ filters, any }: Asked, span: Span, goals: readonly Target[]): Selection {
  const { page, hostname, plan, event, goal, ...attributes } = filters;
  const target = goal === undefined ? undefined : goals[goal];
  const together = Object.entries({ page, hostname, plan }).flatMap(([column, asked]) =>
    asked === undefined ? [] : [conditionOn(column, asked)],
  );
  const onPage = together.length === 0 ? undefined : together.join(' AND ');
  // If events are excluded, a visit passes only if none of its hits has such an event.
  const without = typeof event === 'object' && event.not ? [conditionOn('event', { is: event.not })] : [];
  const wanted = event !== undefined && without.length === 0 ? conditionOn('event', event) : undefined;
  const some = [onPage, wanted, target && reaches(target)].filter(Boolean);
  const equal = Object.entries(attributes).map(([column, asked]) => conditionOn(column, asked));
  return {
    shared: [`day BETWEEN '${span.from}' AND '${span.to}'`, ...equal, ...(any ? [eitherOf(any)] : [])],
    some: some as string[],
    none: without,
    page: onPage,
  };
}

export const where = (conditions: readonly string[]): string => `WHERE ${conditions.join(' AND ')}`;

/** Makes conditions for visits without an excluded hit. `column` has the id of the visit. */
const exclusions = ({ shared, none }: Selection, column: string): string[] =>
  none.map((condition) => `${column} NOT IN (SELECT visit FROM hit ${where([...shared, condition])})`);

/**
 * Selects the hits of the selected visits that pass `row`. A condition of `row` may make a condition of the selection
 * unnecessary.
 */
export function hits(chosen: Selection, row: readonly string[]): string {
  const { shared, some } = chosen;
  const [next, ...rest] = some.filter((condition) => !row.includes(condition));
  const inside =
    next === undefined
      ? []
      : [`visit IN (SELECT visit FROM ${hits({ shared, some: rest, none: [], page: undefined }, [next])})`];
  return `hit ${where([...shared, ...row, ...inside, ...exclusions(chosen, 'visit')])}`;
}

/** Selects the hits that count. */
export const counted = (chosen: Selection, row: readonly string[] = []): string =>
  hits(chosen, [...(chosen.page ? [chosen.page] : []), ...row]);

/** Selects the selected visits. */
export function visits(chosen: Selection): string {
  const [first, ...rest] = chosen.some;
  if (first === undefined) return `visit ${where([...chosen.shared, ...exclusions(chosen, 'id')])}`;
  return `visit ${where([...chosen.shared, `id IN (SELECT visit FROM ${hits({ ...chosen, some: rest }, [first])})`])}`;
}

/** Selects the attributes of the selected visits. If hits select the visits, the hits have these attributes already. */
export function attributes(chosen: Selection): string {
  const [first, ...rest] = chosen.some;
  return first === undefined ? visits(chosen) : hits({ ...chosen, some: rest }, [first]);
}
