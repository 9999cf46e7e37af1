// SQL over the two tables, the same for DuckDB and ClickHouse but for what a Dialect says.
import type { Condition, Filters, Span, Target } from './questions.ts';

export type Dialect = {
  /** How many different visitors or visits; the fastest exact way. */
  distinct(column: 'visitor' | 'visit'): string;
  /** The hour of a hit. */
  hour: string;
  /** Rows of value and distinct visitors; the rows that count are those of `from`. */
  distinctBy(key: string, from: string): string;
  /** One row: how many visitors with selected visits reached each step. */
  steps(targets: readonly Target[], chosen: Selection): string;
  /** With a page filter: each selected visit, and its pageviews of that page as `views`. */
  viewsBy(chosen: Selection & { page: string }): string;
};

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const among = (column: string, values: readonly string[]): string => `${column} IN (${values.map(quoted).join(', ')})`;

/** No word of the questions has a character that LIKE knows. */
const alike = (column: string, patterns: readonly string[]): string =>
  `(${patterns.map((pattern) => `${column} LIKE ${quoted(pattern.replaceAll('*', '%'))}`).join(' OR ')})`;

/** One that reaches any of them; an IN is faster than several ORs. */
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

/** Which visits a question selects. */
export type Selection = {
  /** On columns that visits and hits both have. */
  shared: string[];
  /** Each is true of some hit of the visit. */
  some: string[];
  /** Each is true of no hit of the visit. */
  none: string[];
  /** The filter that also narrows the hits that count, one of `some`. */
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

export function selection(filters: Filters, span: Span, goals: readonly Target[]): Selection {
  const { page, event, goal, ...attributes } = filters;
  const target = goal === undefined ? undefined : goals[goal];
  const onPage = page === undefined ? undefined : conditionOn('page', page);
  // A visit has no such event if it has none of those that are excluded.
  const without = typeof event === 'object' && event.not ? [conditionOn('event', { is: event.not })] : [];
  const wanted = event !== undefined && without.length === 0 ? conditionOn('event', event) : undefined;
  const some = [onPage, wanted, target && reaches(target)].filter(Boolean);
  const equal = Object.entries(attributes).map(([column, asked]) => conditionOn(column, asked));
  return {
    shared: [`day BETWEEN '${span.from}' AND '${span.to}'`, ...equal],
    some: some as string[],
    none: without,
    page: onPage,
  };
}

export const where = (conditions: readonly string[]): string => `WHERE ${conditions.join(' AND ')}`;

/** The visits in a column have no hit that is excluded. */
const exclusions = ({ shared, none }: Selection, column: string): string[] =>
  none.map((condition) => `${column} NOT IN (SELECT visit FROM hit ${where([...shared, condition])})`);

/** Hits of the selected visits that have `row`, which may settle a condition of the selection by itself. */
export function hits(chosen: Selection, row: readonly string[]): string {
  const { shared, some } = chosen;
  const [next, ...rest] = some.filter((condition) => !row.includes(condition));
  const inside =
    next === undefined
      ? []
      : [`visit IN (SELECT visit FROM ${hits({ shared, some: rest, none: [], page: undefined }, [next])})`];
  return `hit ${where([...shared, ...row, ...inside, ...exclusions(chosen, 'visit')])}`;
}

/** The hits that count. */
export const counted = (chosen: Selection, row: readonly string[] = []): string =>
  hits(chosen, [...(chosen.page ? [chosen.page] : []), ...row]);

/** The selected visits. */
export function visits(chosen: Selection): string {
  const [first, ...rest] = chosen.some;
  if (first === undefined) return `visit ${where([...chosen.shared, ...exclusions(chosen, 'id')])}`;
  return `visit ${where([...chosen.shared, `id IN (SELECT visit FROM ${hits({ ...chosen, some: rest }, [first])})`])}`;
}

/** Rows with the attributes of the selected visits; where a hit selects, hits carry them already. */
export function attributes(chosen: Selection): string {
  const [first, ...rest] = chosen.some;
  return first === undefined ? visits(chosen) : hits({ ...chosen, some: rest }, [first]);
}
