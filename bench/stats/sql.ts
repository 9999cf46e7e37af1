// SQL over the two tables, the same for DuckDB and ClickHouse but for what a Dialect says.
import type { Condition, Filters, Span, Target } from './questions.ts';

export type Dialect = {
  /** How many different visitors; the fastest exact way. */
  distinct: string;
  /** Rows of value and distinct visitors; the rows that count are those of `from`. */
  distinctBy(key: string, from: string): string;
  /** One row: how many visitors with selected visits reached each step. */
  steps(targets: readonly Target[], chosen: Selection): string;
  /** With a page filter: each selected visit, and its pageviews of that page as `views`. */
  viewsBy(chosen: Selection & { page: string }): string;
};

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const reaches = ({ type, value }: Target): string =>
  type === 'page' ? `(page = ${quoted(value)} AND event = '')` : `event = ${quoted(value)}`;

/** One that reaches any of them; an IN is faster than several ORs. */
export function reachesAny(targets: readonly Target[]): string {
  const values = (type: Target['type']): string =>
    targets.flatMap((target) => (target.type === type ? [quoted(target.value)] : [])).join(', ');
  return `(page IN (${values('page')}) AND event = '' OR event IN (${values('event')}))`;
}

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

/** A condition on a column; no word of the questions has a character that LIKE knows. */
function conditionOn(column: string, asked: string | Condition): string {
  if (typeof asked === 'string') return `${column} = ${quoted(asked)}`;
  const { is, not, like, unlike } = asked;
  const among = (values: string[]) => `(${values.map(quoted).join(', ')})`;
  const alike = (patterns: string[]) =>
    `(${patterns.map((pattern) => `${column} LIKE ${quoted(pattern.replaceAll('*', '%'))}`).join(' OR ')})`;
  const all = [
    is && `${column} IN ${among(is)}`,
    not && `${column} NOT IN ${among(not)}`,
    like && alike(like),
    unlike && `NOT ${alike(unlike)}`,
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
