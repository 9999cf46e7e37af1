// Saved views in the API. A view is the text behind ? in the URL of the dashboard of a site. It contains a range,
// filters, and open tabs.
//
// Invariant: reports accept the range and the filters of each stored view. A share link with a view adds the filters of
// the view to each report (stats.ts).
//
// Example: `parseView('range=7d&country=DE&page.lacks=/blog')` gives the parameters `range`, `filters[country][is]` and
// `filters[page][unlike]`. stats.ts and shares.ts call `readViewFilters`, and endpoint.ts calls `parseView`. The table
// in routes.ts calls the functions for saved views.

import * as v from 'valibot';
import { fault } from '../lib/http/fault.ts';
import { Id, text } from '../lib/http/fields.ts';
import { CONDITIONS, type Condition } from '../stats/dimensions.ts';
import { FILTER_KEY } from '../stats/filter-keys.ts';
import type { Filters } from '../stats/query.ts';
import type { Db } from '../store/db.ts';
import * as views from '../store/sites/saved-views.ts';
import { readFilters } from './filters.ts';
import { checkParameters } from './property-filters.ts';
import { ReportQuery } from './query.ts';
import type { SiteCall } from './route.ts';

export const SavedView = v.strictObject({ id: Id, name: v.string(), query: v.string() });
export type SavedView = v.InferOutput<typeof SavedView>;

const MOST_LETTERS = 2_000;
const HELP = fault('no_view');

/** Turns the range and the filters of a saved view into parameters of a report. */
export function parseView(query: string): Record<string, string | string[]> {
  const parameters: Record<string, string | string[]> = {};
  for (const [key, value] of new URLSearchParams(query)) {
    if (key === 'range') parameters.range = value;
    const [, name, condition = 'is'] = FILTER_KEY.exec(key) ?? [];
    if (name === undefined) continue;
    const operator = CONDITIONS[condition as Condition];
    const parameter = `filters[${name}][${operator}]`;
    const values = [parameters[parameter] ?? []].flat();
    parameters[parameter] = [...values, operator.endsWith('like') ? `*${value}*` : value];
  }
  return parameters;
}

/**
 * Checks a view like the parameters of a request. The check also changes each value to the form that stored hits have.
 * Otherwise, a value might match no hit: `source.not=Example.com` would leave out nothing, because hits have
 * `example.com`.
 */
const checkView = (query: string): ReportQuery => checkParameters(ReportQuery, parseView(query));

/** Reads the filters of a stored view, for the engine. Throws 404 if a goal of the view is gone. */
export const readViewFilters = (db: Db, siteId: number, query: string): Filters =>
  readFilters(db, siteId, checkView(query)).filters;

/** Tells whether reports accept the parameters of a view. */
function isUsable(query: string): boolean {
  try {
    checkView(query);
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks the text of a saved view. A view is refused if reports would refuse its parameters. Parts that only the
 * dashboard uses, such as the open tab, are not checked.
 */
const ViewText = v.pipe(
  v.string(HELP),
  v.maxLength(MOST_LETTERS, fault('too_long', { most: MOST_LETTERS })),
  v.regex(/^[^?#\s]*$/u, HELP),
  v.check(isUsable, HELP),
);

export const NewView = v.strictObject({ name: text(100), query: ViewText });

export const list = ({ db, site }: SiteCall): SavedView[] => views.listViews(db, site.id);

export const assertRoom = ({ db, site }: SiteCall): void => views.assertRoomForView(db, site.id);

export const add = ({ db, site, body }: SiteCall<v.InferOutput<typeof NewView>>): SavedView =>
  views.addView(db, site.id, body);

export const remove = ({ db, site, id }: SiteCall): void => views.removeView(db, site.id, id);
