// The parameters of a report's URL, except filters. `PARAMETERS` says how each parameter is read and written, and which
// value it has if the URL lacks it. Unknown parameters and wrong values in a URL are ignored.
//
// Example: `?range=7d&chart=table` is `{range: '7d', chart: 'table', …}`. A line is the usual chart, so `chart=line` is
// never written into a URL.
//
// address.ts reads and writes URLs with `readChoices` and `writeChoices`.

import { BREAKDOWN_NAMES } from '../../stats/dimensions.ts';
import { PROPERTY_NAME } from '../../stats/properties.ts';

/** A parameter of the URL. `usual` is its value if the URL lacks it. `parse` returns undefined for a wrong text. */
type Parameter<Value> = { usual: Value; parse(text: string): Value | undefined; write(value: Value): string };

const text = (usual = ''): Parameter<string> => ({ usual, parse: (value) => value, write: (value) => value });

/** Makes a parameter whose value is one of these names. If the URL lacks the parameter, the value is the first name. */
const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names): Parameter<Names[number]> => ({
  usual: names[0],
  parse: (value) => names.find((name) => name === value),
  write: (value) => value,
});

const flag: Parameter<boolean> = { usual: false, parse: (value) => value === '1', write: () => '1' };

/** The open tab of a panel: the name of a breakdown. If the name is empty, the panel shows its first tab. */
const table = oneOf(['', ...BREAKDOWN_NAMES]);

/** The figures whose change the dialog "Why?" can explain (report/model/figures.ts). */
export const WHY_FIGURES = ['visitors', 'visits', 'pageviews', 'conversions'] as const;
export type WhyFigure = (typeof WHY_FIGURES)[number];

const PARAMETERS = {
  range: text('30d'),
  /**
   * What the report is compared with: a name such as `year`, or days such as 2026-01-01~2026-01-31. The text is empty
   * if the user has chosen nothing.
   */
  compare: text(),
  /** The figure in the chart. */
  show: oneOf(['visitors', 'pageviews', 'visits', 'bounce_rate', 'visit_duration', 'revenue', 'conversion_rate']),
  /** The time from one point of the chart to the next. If the text is empty, the length of the range decides. */
  interval: oneOf(['', 'hour', 'day', 'week', 'month']),
  chart: oneOf(['line', 'table']),
  /** Whether the dialog with the visitors of the last minutes is open. */
  live: flag,
  /** The open tab of each panel, as the name of a breakdown. */
  pages: table,
  sources: table,
  places: table,
  devices: table,
  events: table,
  /** The event whose labels are shown. If empty, the panel chooses an event. */
  labels: text(),
  /** The property whose values are shown. If empty, the panel shows the names of all properties. */
  property: { ...text(), parse: (name: string) => (PROPERTY_NAME.test(name) ? name : undefined) },
  /** The id of the open funnel. If empty, the first funnel is open. */
  funnel: text(),
  /**
   * Where journeys start, as the API names the start: a page, a pattern, or `goal:3`. If the text is empty, journeys
   * start at the entry pages. `direction` says whether the report shows the next pages or the pages before.
   */
  journey: text(),
  direction: oneOf(['after', 'before']),
  /** `crawlers` says how the list of AI crawlers is grouped. `crawler` is the crawler whose pages are shown. */
  crawlers: oneOf(['crawler', 'operator', 'purpose']),
  crawler: text(),
  /** The name of the breakdown that the details dialog shows. If the name is empty, the dialog is closed. */
  details: table,
  /**
   * The figure that the dialog "Why?" explains. If the name is empty, the dialog is closed. `row` has the filter of the
   * row that the dialog is about, such as `country=DE`. If it is empty, the dialog is about the whole report.
   */
  why: oneOf(['', ...WHY_FIGURES]),
  row: text(),
  /**
   * What the rows of the details dialog, of the list of sites or of "Explore" are sorted by. This is a figure such as
   * `visitors`. For the list of sites, it may also be `name`. For "Explore", it may also be a key in `by`.
   */
  sort: text(),
  /** Whether the sorted rows begin with the largest or the smallest value. */
  order: oneOf(['desc', 'asc']),
  /**
   * Whether the page "Explore" is open in place of the reports. This page answers a question of the user. The five
   * parameters after `explore` are this question, together with `sort` and `order` (explore/question.ts).
   */
  explore: flag,
  /**
   * The keys by which rows are grouped, such as `country,week`. A key is a dimension, a property or a time. If `pivot`
   * is true, there is a column for each value of the last key.
   */
  by: text(),
  pivot: flag,
  metrics: text(),
  /** The id of the goal whose conversions are shown. */
  conversions: text(),
  /** Groups of filters, separated by `|`, such as `country=DE|page=/a`. A visit must pass at least one group. */
  any: text(),
};

type Value<Of> = Of extends Parameter<infer Type> ? Type : never;
export type Choices = { [Name in keyof typeof PARAMETERS]: Value<(typeof PARAMETERS)[Name]> };
type ChoiceName = keyof Choices;

const NAMES = Object.keys(PARAMETERS) as ChoiceName[];

/** The values of all parameters if a URL has none. */
export const USUAL_CHOICES = Object.fromEntries(NAMES.map((name) => [name, PARAMETERS[name].usual])) as Choices;

export function readChoices(search: URLSearchParams): Choices {
  const read = NAMES.map((name) => [name, PARAMETERS[name].parse(search.get(name) ?? '') ?? PARAMETERS[name].usual]);
  return { ...USUAL_CHOICES, ...Object.fromEntries(read.filter(([name]) => search.has(String(name)))) };
}

/** Writes the parameters whose value is not the usual one. */
export function writeChoices(choices: Choices): [name: string, text: string][] {
  const write = <Name extends ChoiceName>(name: Name): string =>
    (PARAMETERS[name] as unknown as Parameter<Choices[Name]>).write(choices[name]);
  return NAMES.filter((name) => choices[name] !== PARAMETERS[name].usual).map((name) => [name, write(name)]);
}
