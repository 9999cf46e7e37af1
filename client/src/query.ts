// Asks for figures by up to three keys. The types of the answer follow from the question.
//
// Invariant: the names of keys and metrics, and the types of figures, are those of operations.ts. This file only picks
// the ones that a question names. test/client/query.test.ts checks the types.
//
// Example: a question with `by: ['country', 'week']` and `metrics: ['visitors', 'revenue']` gives rows with
// `by: [string, string]` and `metrics: { visitors: number; revenue: string | null }`.

import type { Ask } from './index.ts';
import type { Query, QueryFilters, QueryKey, QueryMetric, QueryMetrics, QueryTable } from './operations.ts';

/** A question, as the API takes it. `by` may have times, so `interval` is not needed. */
export type Question = Omit<Query, 'interval' | 'by' | 'metrics'> & {
  by?: readonly QueryKey[];
  metrics?: readonly QueryMetric[];
};

/** Makes a function that asks for figures. */
export function makeQuery(ask: Ask): AskQuery {
  return async (site, question, options = {}) => {
    const asked = { path: { site }, body: question as unknown as Query, ...options };
    return (await ask('POST /sites/{site}/query', asked)) as never;
  };
}

/** Asks about a site. A mistake in the question, such as an unknown key, is a type error. */
export type AskQuery = <const Asked extends Question>(
  site: string | number,
  question: Asked & Checked<Asked>,
  options?: { signal?: AbortSignal },
) => Promise<Table<Asked>>;

/** The answer to a question. */
export type Table<Asked extends Question = Question> = Omit<QueryTable, 'by' | 'rows'> & {
  by: Mutable<Keys<Asked>>;
  rows: TableRow<Asked>[];
};

/** A row has a value for each key. With `compare`, `previous` has the figures of the other days, or null. */
export type TableRow<Asked extends Question = Question> = {
  by: KeyValues<Keys<Asked>>;
  metrics: MetricValues<Metrics<Asked>>;
} & Previous<Asked, MetricValues<Metrics<Asked>>>;

type Previous<Asked, Values> = Asked extends { compare: infer Days }
  ? Days extends 'none'
    ? unknown
    : string extends Days
      ? { previous?: Values | null }
      : { previous: Values | null }
  : unknown;

type KeyValues<By extends readonly unknown[]> = { -readonly [Place in keyof By]: KeyValue<By[Place]> };

/** The value of a key: a number for `weekday` and `hour_of_day`, and a text for every other key. */
export type KeyValue<Key> = Key extends 'weekday' | 'hour_of_day' ? number : string;

/** The figures that a question names. If the names are known only when the program runs, each figure may be missing. */
export type MetricValues<Names extends readonly QueryMetric[]> = number extends Names['length']
  ? QueryMetrics
  : { [Name in Names[number]]: Required<QueryMetrics>[Name] };

type Keys<Asked extends Question> = Asked extends { by: infer By extends readonly QueryKey[] } ? By : [];
type Metrics<Asked extends Question> = Asked extends { metrics: infer Names extends readonly QueryMetric[] }
  ? Names
  : ['visitors'];
type Mutable<List> = { -readonly [Place in keyof List]: List[Place] };

/** Refuses unknown fields and filters, a fourth key, and a `sort` that is no metric or key of the question. */
type Checked<Asked extends Question> = OnlyKnown<Asked, Question> &
  (Asked extends { filters: infer Given } ? { filters: OnlyKnown<Given, QueryFilters> } : unknown) &
  (Asked extends { any: infer Given } ? { any: OnlyKnownInEach<Given> } : unknown) &
  (Keys<Asked> extends readonly [unknown, unknown, unknown, unknown, ...unknown[]] ? { by: never } : unknown) & {
    sort?: Keys<Asked>[number] | Metrics<Asked>[number] | 'visitors';
  };

type OnlyKnown<Given, Known> = { [Name in keyof Given]: Name extends keyof Known ? unknown : never };
type OnlyKnownInEach<Given> = { [Place in keyof Given]: OnlyKnown<Given[Place], QueryFilters> };
