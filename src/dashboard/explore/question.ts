// A question is what the URL says about the page "Explore". It has keys, figures, groups of filters, and the order of
// the rows. A key is a dimension, a property or a time, by which visits are grouped into rows. This file reads the
// question from a view, and writes the body of the API request.
//
// Invariant: a question has only figures that rows with its keys can have, and that the site can have. So a link that
// somebody wrote by hand, or made before a goal was removed, still gets an answer.
//
// Example: `?explore=1&by=channel,week&pivot=1&metrics=revenue` asks for the revenue of each channel, with a column for
// each week. explore.tsx shows the answer.

import { CONDITIONS, FILTERS } from '../../stats/dimensions.ts';
import { findFigureOf, METRIC_NAMES, type Metric, needsCurrency, needsGoal, type Order } from '../../stats/metrics.ts';
import { chooseCounts, isTimeKey, MOST_KEYS, type TableKey, TIME_KEYS } from '../../stats/table-keys.ts';
import { searchOf, viewOf } from '../core/address.ts';
import { USUAL_CHOICES } from '../core/parameters.ts';
import { type Filters, isKey, isNumber, isTyped, keysOf, partsOf, type View } from '../core/view.ts';

export type Figure = 'visitors' | Metric;
const FIGURES: readonly Figure[] = ['visitors', ...METRIC_NAMES];
/** The figures of a question that names no figures. */
const USUAL: readonly Figure[] = ['visitors', 'visits', 'pageviews'];

export type Question = {
  by: readonly TableKey[];
  /** Whether the last key gives the columns. */
  isPivot: boolean;
  figures: readonly Figure[];
  sort: Figure | TableKey;
  order: Order;
};

/** What a site has: a goal for conversions, and a currency for revenue. */
export type Has = { goal: boolean; currency: boolean };

export function readQuestion(view: View, has: Has): Question {
  const by = readKeys(view.by);
  const known = listFigures(by, has);
  const named = view.metrics.split(',');
  const wanted = known.filter((figure) => named.includes(figure));
  const figures = wanted.length > 0 ? wanted : known.filter((figure) => USUAL.includes(figure));
  const isPivot = view.pivot && by.length > 1;
  return { by, isPivot, figures, ...readSort(view, by, figures) };
}

const isTableKey = (name: string): name is TableKey =>
  ([...FILTERS, ...TIME_KEYS] as string[]).includes(name) || (/^property:[^.]+$/.test(name) && isKey(name));

const readKeys = (by: string): TableKey[] => [...new Set(by.split(','))].filter(isTableKey).slice(0, MOST_KEYS);

/** Lists the figures that rows with these keys have, and that the site can have. */
export const listFigures = (by: readonly TableKey[], has: Has): Figure[] =>
  FIGURES.filter(
    (figure) =>
      hasFigure(by, figure) &&
      (figure === 'visitors' || ((has.goal || !needsGoal(figure)) && (has.currency || !needsCurrency(figure)))),
  );

/** Tells whether rows with these keys have a figure. For example, rows of pages have no bounce rate. */
export const hasFigure = (by: readonly TableKey[], figure: Figure): boolean =>
  figure === 'visitors' || findFigureOf(chooseCounts(by), figure) !== undefined;

/**
 * Reads from the URL by which figure or key the rows are sorted. If the URL does not say this, the rows are sorted by
 * the question's first figure, with the largest first. But if a time is the only key, the earliest time comes first.
 */
function readSort({ sort, order }: View, by: readonly TableKey[], figures: readonly Figure[]) {
  const named = [...figures, ...by].find((name) => name === sort);
  if (named !== undefined) return { sort: named, order };
  const [only] = by;
  if (only && by.length === 1 && isTimeKey(only)) return { sort: only, order: 'asc' as const };
  return { sort: figures[0] ?? 'visitors', order: 'desc' as const };
}

/**
 * Chooses the figure that a chart draws, or that the cells of a pivot show. If the rows are sorted by a figure, this
 * figure is chosen, and otherwise the first figure.
 */
export const chooseFigure = ({ sort, figures }: Question): Figure =>
  figures.find((figure) => figure === sort) ?? figures[0] ?? 'visitors';

/** Separates groups of filters in the URL. Inside a group, the character is written as %7C. */
const BETWEEN = '|';

/** Reads the groups of filters. A group without filters stays in the list, as an empty object. */
export const readGroups = (any: string): Filters[] =>
  any === '' ? [] : any.split(BETWEEN).map((group) => viewOf(group).filters);

/**
 * Writes groups of filters for the URL. The text is empty if there are no groups, or only one group without filters.
 */
export const writeGroups = (groups: readonly Filters[]): string =>
  groups.map((filters) => searchOf({ ...USUAL_CHOICES, filters }).slice(1)).join(BETWEEN);

/** What all queries of one question have in common. */
export type Asked = { view: View; goal: number | undefined; currency: string | null };

/** One query of a question. A query has some of the question's keys, figures and filters. */
export type Part = {
  by: readonly TableKey[];
  figures: readonly Figure[];
  sort?: Figure | TableKey;
  order?: Order;
  filters?: Filters;
  range?: string;
  limit: number;
};

/** Writes the body of a request. The API accepts a goal or a currency only if a figure needs it. */
export function writeBody({ view, goal, currency }: Asked, { by, figures, filters = view.filters, ...part }: Part) {
  const any = readGroups(view.any).filter((group) => Object.keys(group).length > 0);
  const metrics = figures.filter((figure) => figure !== 'visitors');
  return {
    range: view.range,
    by,
    metrics: figures,
    filters: writeFilters(filters),
    ...(any.length > 0 && { any: any.map(writeFilters) }),
    ...(metrics.some(needsGoal) && { goal }),
    ...(metrics.some(needsCurrency) && { currency }),
    ...part,
  };
}

/** Writes filters for the body of a request: `country=DE` in the URL becomes `{ country: { is: ['DE'] } }`. */
function writeFilters(filters: Filters): Record<string, Record<string, (string | number)[]>> {
  const written: Record<string, Record<string, (string | number)[]>> = {};
  for (const key of keysOf(filters)) {
    const [name, condition] = partsOf(key);
    const values = (filters[key] ?? []).map((value) =>
      isNumber(name) ? Number(value) : isTyped(condition) ? `*${value}*` : value,
    );
    written[name] = { ...written[name], [CONDITIONS[condition]]: values };
  }
  return written;
}
