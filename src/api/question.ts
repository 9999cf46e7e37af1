import * as v from 'valibot';
import { normalizedHost } from '../classify/source.ts';
import { Problem } from '../lib/errors.ts';
import { text } from '../lib/fields.ts';
import { DAY, dayOf, isDay } from '../lib/time.ts';
import { FILTERS, type FilterName } from '../stats/dimensions.ts';
import type { Filters, Range } from '../stats/question.ts';
import { findGoal } from '../store/goals.ts';
import type { Db } from '../store/statements.ts';
import { EVENT_NAME, Page } from './input.ts';

/** An id in an address has at most 15 digits. */
const LARGEST_ID = 999_999_999_999_999;

const SOURCE_HELP = 'Must be a host name such as example.com, or empty for direct visits.';
const COUNTRY_HELP = 'Must be two letters such as DE, or empty for unknown.';
const DEVICES = ['Desktop', 'Mobile', 'Tablet', ''] as const;
const RANGE_HELP = 'Must be today, 7d, 30d, 12m, or two days such as 2026-01-01~2026-01-31.';

const Source = v.pipe(
  v.string(),
  v.regex(/^[^\s/:]*$/, SOURCE_HELP),
  v.transform((host) => normalizedHost(host) ?? host.toLowerCase()),
);

/** A whole number as it is written in a path or a query. */
const whole = (least: number, most: number, help: string) =>
  v.pipe(
    v.string(),
    v.check((typed) => /^\d{1,15}$/.test(typed) && Number(typed) >= least && Number(typed) <= most, help),
    v.metadata({ type: 'integer', minimum: least, maximum: most }),
    v.transform(Number),
  );

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000 / DAY;

function faultOf(range: string): string | undefined {
  if (['today', '7d', '30d', '12m'].includes(range)) return undefined;
  const [first = '', last = '', ...more] = range.split('~');
  if (!isDay(first) || !isDay(last) || more.length > 0) return RANGE_HELP;
  const end = new Date(`${first}T00:00:00Z`);
  end.setUTCFullYear(end.getUTCFullYear() + 2);
  if (first < '1000') return 'Must begin in a year of four digits.';
  if (last < first) return 'Its first day must not be after its last.';
  return numberOf(last) * DAY * 1000 < end.getTime() ? undefined : 'Must be shorter than two years.';
}

const RangeName = v.pipe(
  v.string(),
  v.check(
    (range) => faultOf(range) === undefined,
    ({ input }) => faultOf(input) ?? RANGE_HELP,
  ),
  v.metadata({
    format: 'range',
    pattern: '^(?:today|7d|30d|12m|[0-9]{4}-[0-9]{2}-[0-9]{2}~[0-9]{4}-[0-9]{2}-[0-9]{2})$',
    description:
      'today, 7d, 30d, 12m, or two days such as 2026-01-01~2026-01-31, both included, less than two years apart',
  }),
);

/** What a filter takes, where it is not any text. */
const FILTER_VALUES = {
  page: Page,
  entry: Page,
  source: Source,
  country: v.pipe(v.string(), v.regex(/^(?:[A-Za-z]{2})?$/, COUNTRY_HELP), v.toUpperCase()),
  device: v.picklist(DEVICES, 'Must be Desktop, Mobile or Tablet, or empty for unknown.'),
  event: text(EVENT_NAME),
} as const satisfies Partial<Record<FilterName, v.GenericSchema<string, string>>>;

const filterValue = (name: FilterName): v.GenericSchema<string, string> =>
  name in FILTER_VALUES ? FILTER_VALUES[name as keyof typeof FILTER_VALUES] : v.string();

type FilterEntries = {
  [Name in FilterName as `filters[${Name}]`]: v.OptionalSchema<v.GenericSchema<string, string>, undefined>;
};

const filters = Object.fromEntries(
  FILTERS.map((name) => [`filters[${name}]`, v.optional(filterValue(name))]),
) as FilterEntries;

/** The parameters of every report, by the names that they have in a query. */
export const Question = {
  range: v.optional(RangeName, '30d'),
  ...filters,
  'filters[goal]': v.optional(whole(1, LARGEST_ID, 'Must be the id of a goal.')),
};
const Asked = v.strictObject(Question);
export type Asked = v.InferOutput<typeof Asked>;

export const Limit = v.optional(whole(1, 100, 'Must be a whole number from 1 to 100.'), '10');

/** The applied filters by their bare names, as they were understood. */
export const Applied = v.record(v.string(), v.union([v.string(), v.number()]));

/** The days that a range means on a day. */
export function rangeOf(range: string, today: number): Range {
  const to = today + 1;
  const [year = 0, month = 0] = dayOf(today * DAY)
    .split('-')
    .map(Number);
  if (range === 'today') return { from: to - 1, to };
  if (range === '7d') return { from: to - 7, to };
  if (range === '30d') return { from: to - 30, to };
  if (range === '12m') return { from: Date.UTC(year, month - 12, 1) / 1000 / DAY, to };
  const [first = '', last = ''] = range.split('~');
  return { from: numberOf(first), to: numberOf(last) + 1 };
}

/** The filters of a question, once as the answer repeats them and once as they are applied. */
export function filtersOf(
  db: Db,
  siteId: number,
  asked: Asked,
): { filters: Filters; applied: v.InferOutput<typeof Applied> } {
  const applied: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(asked)) {
    const [, bare] = /^filters\[(\w+)\]$/.exec(name) ?? [];
    if (bare !== undefined && value !== undefined) applied[bare] = value;
  }
  const { goal: goalId, ...texts } = applied;
  const goal = goalId === undefined ? undefined : findGoal(db, siteId, Number(goalId));
  if (goalId !== undefined && !goal) throw new Problem('not_found');
  return {
    filters: { ...(texts as Filters), ...(goal ? { goal: { type: goal.type, value: goal.value } } : {}) },
    applied,
  };
}
