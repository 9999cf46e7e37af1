// The names of keys and of their values, as people read them. A key is a dimension, a property or a time.
//
// Example: the value 1 of the key `weekday` is "Monday", and the value DE of `country` is "Germany".
//
// The tables, charts and choices of the page "Explore" use these texts.

import type { DashboardMessage } from '../../lang/dashboard.ts';
import { DIMENSIONS, FILTERS, type FilterName } from '../../stats/dimensions.ts';
import { addPlaces } from '../../stats/dimensions-off.ts';
import {
  isPropertyKey,
  isTimeKey,
  type KeyValue,
  type TableKey,
  TIME_KEYS,
  type TimeKey,
} from '../../stats/table-keys.ts';
import { filterText, filterValueText } from '../core/filter-names.ts';
import { day, dayShort, hour, hourOfDay, hourShort, spanText, weekday } from '../core/format.ts';
import type { SiteScope } from '../core/scope.ts';
import { t } from '../core/texts.ts';
import { type PropertyFilter, propertyOf } from '../core/view.ts';
import { dayAfter } from '../dates/days.ts';

/** A Monday. The names of the weekdays are taken from the week that begins with this day. */
const MONDAY = '2026-03-02';

type Time = { name: DashboardMessage; text(value: KeyValue): string; short(value: KeyValue): string };

const weekdayIn = (length: 'short' | 'long') => (value: KeyValue) =>
  weekday(dayAfter(MONDAY, Number(value) - 1), length);
const hourIn = (value: KeyValue): string => hourOfDay(Number(value));
const ofText = (write: (text: string) => string) => (value: KeyValue) => write(String(value));

const TIMES: Record<TimeKey, Time> = {
  day: { name: 'Day', text: ofText(day), short: ofText(dayShort) },
  week: {
    name: 'Week',
    text: ofText((monday) => spanText({ from: monday, to: dayAfter(monday, 6) })),
    short: ofText(dayShort),
  },
  month: { name: 'Month', text: ofText(day), short: ofText(dayShort) },
  weekday: { name: 'Weekday', text: weekdayIn('long'), short: weekdayIn('short') },
  hour: { name: 'Hour', text: ofText(hour), short: ofText(hourShort) },
  hour_of_day: { name: 'Hour of the day', text: hourIn, short: hourIn },
};

/** Names a key in English, for the headings of CSV files. */
export const nameInFiles = (key: TableKey): string =>
  isTimeKey(key) ? TIMES[key].name : isPropertyKey(key) ? `Property ${propertyOf(key)}` : DIMENSIONS[key].name;

export const nameKey = (key: TableKey): string => (isTimeKey(key) ? t(TIMES[key].name) : filterText(key));

/** Writes a value of a key. For the key `event`, the empty value stands for pageviews. */
export function writeValue(key: TableKey, value: KeyValue): string {
  if (isTimeKey(key)) return TIMES[key].text(value);
  return key === 'event' && value === '' ? t('Pageviews') : filterValueText(key, String(value));
}

/** Writes a value of a key for a narrow column, or for the axis of a chart. */
export const writeShort = (key: TableKey, value: KeyValue): string =>
  isTimeKey(key) ? TIMES[key].short(value) : writeValue(key, value);

export type KeyGroup = { title: DashboardMessage; keys: readonly TableKey[] };

const TITLES: Record<(typeof DIMENSIONS)[FilterName]['panel'] | 'properties' | 'times', DashboardMessage> = {
  pages: 'Pages',
  sources: 'Sources',
  places: 'Places',
  devices: 'Devices',
  events: 'Events',
  properties: 'Properties',
  times: 'Time',
};

/**
 * Lists the keys that a site has. Dimensions are grouped like the panels of the report. Properties are a group of their
 * own, and so are times.
 */
export function listKeys({ site }: Pick<SiteScope, 'site'>, properties: readonly PropertyFilter[]): KeyGroup[] {
  const off: readonly string[] = addPlaces(site?.dimensions_off ?? [], site?.places === true);
  const kept = FILTERS.filter((name) => !off.includes(name));
  return (Object.keys(TITLES) as (keyof typeof TITLES)[])
    .map((panel) => ({
      title: TITLES[panel],
      keys:
        panel === 'times'
          ? TIME_KEYS
          : panel === 'properties'
            ? properties
            : kept.filter((name) => DIMENSIONS[name].panel === panel),
    }))
    .filter(({ keys }) => keys.length > 0);
}
