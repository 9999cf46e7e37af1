const formats = new Map<string, Intl.DateTimeFormat>();

const QUARTER = 900;
const offsets = new Map<string, Map<number, number>>();

/** What clocks and calendars of a zone show, in seconds as if it were UTC, as the system writes it. */
function written(name: string, instant: number): number {
  const part = 'numeric';
  const fields = { year: part, month: part, day: part, hour: part, minute: part, second: part } as const;
  const format = formats.get(name) ?? new Intl.DateTimeFormat('en-US', { ...fields, timeZone: name, hourCycle: 'h23' });
  formats.set(name, format);
  const parts = Object.fromEntries(
    format.formatToParts(instant * 1000).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

/** Asked of the system once for each quarter of an hour, because it takes long to write. */
function offsetAt(name: string, quarter: number): number {
  const known = offsets.get(name) ?? new Map<number, number>();
  offsets.set(name, known);
  const offset = known.get(quarter) ?? written(name, quarter) - quarter;
  known.set(quarter, offset);
  return offset;
}

/** The same. Within a quarter at whose ends the offset differs, the system is asked: St John's changed its clocks at 00:01. */
export function shown(name: string, instant: number): number {
  const quarter = Math.floor(instant / QUARTER) * QUARTER;
  const offset = offsetAt(name, quarter);
  return offset === offsetAt(name, quarter + QUARTER) ? instant + offset : written(name, instant);
}

/** The zones of a site: each from an instant on, the first from ever. */
export type Zones = readonly { from: number; zone: string }[];

export const UTC_ONLY: Zones = [{ from: Number.NEGATIVE_INFINITY, zone: 'UTC' }];

const dateIn = (zone: string, instant: number): number => Math.floor(shown(zone, instant) / 86_400);

/** The day that runs at an instant: the date of the zone of then, but never one before a day that was running. */
export function runningDay(zones: Zones, instant: number): number {
  const past = zones.filter(({ from }) => from <= instant);
  const dates = past.map(({ zone }, i) => dateIn(zone, past[i + 1]?.from ?? instant));
  return Math.max(...dates);
}

/** The first instant at which a day or a later one is running, found by trying. */
export function beginOf(zones: Zones, day: number): number {
  let [before, begun] = [(day - 3) * 86_400, (day + 3) * 86_400];
  while (begun - before > 1) {
    const middle = Math.floor((before + begun) / 2);
    if (runningDay(zones, middle) >= day) begun = middle;
    else before = middle;
  }
  return begun;
}

/** The zone in which a day began. */
export const zoneOfDay = (zones: Zones, day: number): string =>
  zones.findLast(({ from }) => from <= beginOf(zones, day))?.zone ?? '';
