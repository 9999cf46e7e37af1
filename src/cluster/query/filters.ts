// Translates filters into SQL conditions. A condition names columns of a visit or of a hit. For hits, `p` is the page,
// `o` the host name and `e` the event.
//
// Invariant: texts that users enter are sent as parameters, and are never part of the SQL text. The time to match a
// pattern grows only linearly with the length of the text.
//
// Example: { page: { like: ['/blog/*'] } } becomes `arrayExists((p) -> match(p, {p0:String}), h_page)` with p0 =
// '(?s)^/blog/.*$'. measure.ts, aggregate.ts and days.ts call `matchFilters`.
import { type DimensionName, type FilterName, NARROWING_FILTERS, VISIT_FILTERS } from '../../stats/dimensions.ts';
import type { Condition, Filters } from '../../stats/query.ts';
import type { Target } from '../../store/sites/goals.ts';
import { writeChannel } from './channel.ts';
import { listNamed } from './visits.ts';

/**
 * Adds a text of a user as a parameter of a statement. Gives the name of the parameter in SQL, such as `{p0:String}`.
 * So no text of a user is ever part of the SQL.
 */
export type Bind = (text: string) => string;

/** Makes an SQL condition for the visits that filters select, such as visits from Germany with the page /buy. */
export const matchFilters = ({ any, ...filters }: Filters, bind: Bind): string =>
  any ? joinAny(any.map((group) => matchAllOf([filters, group], bind))) : matchAllOf([filters], bind);

/**
 * Makes a condition for the visits that pass all of these filters. One hit must pass all conditions on the page, the
 * host name and properties. Another hit may pass the conditions on events and goals.
 */
function matchAllOf(all: readonly Filters[], bind: Bind): string {
  const narrow = all.filter(isNarrow);
  return joinAll([
    ...all.flatMap((filters) => matchVisit(filters, bind)),
    ...(narrow.length === 0 ? [] : [matchSomeHit(joinAll(narrow.map((filters) => matchHits(filters, bind))))]),
  ]);
}

function matchVisit({ event, goal, pageviews, ...values }: Filters, bind: Bind): string[] {
  const reachesOne = (targets: readonly Target[]) =>
    matchSomeHit(joinAny(targets.map((target) => matchTarget(target, bind))));
  return [
    ...VISIT_FILTERS.flatMap((name) => {
      const condition = (values as Partial<Record<FilterName, Condition>>)[name];
      return condition ? [matchCondition(writeValue(name), condition, bind)] : [];
    }),
    ...(pageviews ? matchNumbers('pageviews', pageviews) : []),
    ...(event ? matchEvent(event, bind) : []),
    ...(goal?.is ? [reachesOne(goal.is)] : []),
    ...(goal?.not ? [`NOT ${reachesOne(goal.not)}`] : []),
  ];
}

/**
 * Writes a dimension of a visit as SQL. This is the name of a column or, for the channel, an expression of other
 * columns.
 */
export const writeValue = (name: DimensionName): string => (name === 'channel' ? writeChannel() : name);

/** Builds the parameters of an SQL statement. Equal texts share one parameter. */
export function buildBinder(): { values: Record<string, string>; bind: Bind } {
  const values: Record<string, string> = {};
  const names = new Map<string, string>();
  return {
    values,
    bind(text) {
      const name = names.get(text) ?? `p${names.size}`;
      names.set(text, name);
      values[name] = text;
      return `{${name}:String}`;
    },
  };
}

/**
 * Makes an SQL condition for the hits that count within a visit. Example: the filter is the page /a. A visit with the
 * pages /a and /b is selected, but its pageview of /b does not count.
 */
export const matchHits = ({ any = [], ...filters }: Filters, bind: Bind): string =>
  any.some(isNarrow)
    ? joinAny(
        any.map((group) =>
          joinAll([matchAllOf([filters, group], bind), matchHits(filters, bind), matchHits(group, bind)]),
        ),
      )
    : matchNarrow(filters, bind);

const matchNarrow = (filters: Filters, bind: Bind): string =>
  isNarrow(filters)
    ? joinAll([
        ...NARROWING_FILTERS.flatMap((name) => {
          const condition = filters[name];
          return condition ? [matchCondition(HIT_VALUES[name], condition, bind)] : [];
        }),
        ...Object.entries(filters.property ?? {}).map(([name, condition]) => matchProperty(name, condition, bind)),
      ])
    : '1';

/** Writes the value of a property of a hit. The text is empty if the hit does not have the property. */
export const writeProperty = (name: string, bind: Bind): string => `JSONExtractString(r, ${bind(name)})`;

/**
 * Makes an SQL condition for a property. A hit without the property meets no condition on this property, not even
 * `not`.
 */
function matchProperty(name: string, { not = [], ...condition }: Condition, bind: Bind): string {
  return matchCondition(writeProperty(name, bind), { ...condition, not: [...not, ''] }, bind);
}

const isNarrow = ({ property, ...filters }: Filters): boolean =>
  property !== undefined || NARROWING_FILTERS.some((name) => filters[name]);

/** The names that SQL conditions use for the texts of a hit. */
export const HIT_VALUES = { page: 'p', hostname: 'o', event: 'e', label: 'l', properties: 'r', revenue: 'm' } as const;

/**
 * The short names that SQL conditions use for values of a hit. Each name stands for a field of visits: a list with one
 * value for each hit. `n` is the number of seconds in which the page was visible. `d` is the depth in percent, plus
 * one. `vital` has the packed web vitals, and `second` is the time of day in seconds. `HIT_VALUES` tells what the other
 * names mean. For example, `m` is a revenue such as `EUR 1999`.
 */
export const HIT_LISTS = {
  ...{ n: 'h_seen', d: 'h_scroll', vital: 'h_vitals', second: 'h_second' },
  ...{ p: 'h_page', o: 'h_hostname', e: 'h_event', l: 'h_label', r: 'h_properties', m: 'h_revenue' },
} as const;

/**
 * Applies an expression to each hit of a visit, such as `arrayCount((p, e) -> e = '' AND p = '/a', h_page, h_event)`.
 * Only the lists that the expression names are read. `arrayFilter` gives values of only one of them: the list that
 * comes first in `HIT_LISTS`.
 */
export function overHits(
  call: 'arrayExists' | 'arrayCount' | 'arrayMap' | 'arrayFilter' | 'arrayFirstIndex',
  expression: string,
): string {
  const named = listNamed(Object.keys(HIT_LISTS) as (keyof typeof HIT_LISTS)[], expression);
  const names = named.length > 0 ? named : (['e'] as const);
  return `${call}((${names.join(', ')}) -> ${expression}, ${names.map((name) => HIT_LISTS[name]).join(', ')})`;
}

/**
 * Makes an SQL condition for the hits that reach a target. A target is an event, a page, or a pattern of pages such as
 * /blog/*. A target may also ask for a property or a depth. Depths are stored plus one, so `d > 50` means a depth of at
 * least 50 %.
 */
export function matchTarget({ type, value, property, scroll }: Target, bind: Bind): string {
  const own =
    type === 'event'
      ? `(e <> '' AND e = ${bind(value)})`
      : `(e = '' AND ${matchPage(value, bind)}${scroll === undefined ? '' : ` AND d > ${Number(scroll)}`})`;
  if (!property) return own;
  const condition = property.value.includes('*') ? { like: [property.value] } : { is: [property.value] };
  return `(${own} AND ${matchProperty(property.name, condition, bind)})`;
}

/** Makes an SQL condition for a page, or for a pattern of pages such as /blog/*. */
export const matchPage = (value: string, bind: Bind): string =>
  value.includes('*') ? matchPattern('p', [value], bind) : `p = ${bind(value)}`;

const joinAll = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '1' : `(${conditions.join(' AND ')})`;
const joinAny = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '0' : `(${conditions.join(' OR ')})`;

const SYNTAX = /[\\^$.*+?()[\]{}|]/g;
const quote = (text: string): string => text.replaceAll(SYNTAX, '\\$&');

/** In a pattern such as `/blog/*`, the character `*` means any number of characters. */
const makeExpression = (pattern: string): string => `(?s)^${pattern.split('*').map(quote).join('.*')}$`;

const matchList = (value: string, texts: readonly string[], bind: Bind): string =>
  joinAny(texts.length === 0 ? [] : [`${value} IN (${texts.map(bind).join(', ')})`]);

const matchPattern = (value: string, patterns: readonly string[], bind: Bind): string =>
  joinAny(patterns.map((pattern) => `match(${value}, ${bind(makeExpression(pattern))})`));

function matchCondition(value: string, { is, not, like, unlike }: Condition, bind: Bind): string {
  return joinAll([
    ...(is ? [matchList(value, is, bind)] : []),
    ...(not ? [`NOT ${matchList(value, not, bind)}`] : []),
    ...(like ? [matchPattern(value, like, bind)] : []),
    ...(unlike ? [`NOT ${matchPattern(value, unlike, bind)}`] : []),
  ]);
}

const matchSomeHit = (condition: string): string => overHits('arrayExists', condition);

function matchEvent({ is, not, like, unlike }: Condition, bind: Bind): string[] {
  const some = (condition: string) => matchSomeHit(`(e <> '' AND ${condition})`);
  return [
    ...(is ? [some(matchList('e', is, bind))] : []),
    ...(like ? [some(matchPattern('e', like, bind))] : []),
    ...(not ? [`NOT ${some(matchList('e', not, bind))}`] : []),
    ...(unlike ? [`NOT ${some(matchPattern('e', unlike, bind))}`] : []),
  ];
}

const matchNumbers = (name: string, { is, not }: { is?: readonly number[]; not?: readonly number[] }): string[] => [
  ...(is ? [is.length === 0 ? '0' : `${name} IN (${is.map(Number).join(', ')})`] : []),
  ...(not && not.length > 0 ? [`${name} NOT IN (${not.map(Number).join(', ')})`] : []),
];
