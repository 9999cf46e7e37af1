import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { findCanonicalZone, findZone, UTC } from '../../src/lib/zone.ts';
import { findCurrentName, RENAMED } from '../../src/lib/zone-names.ts';
import { shown } from '../stats/zones.ts';

const DAY = 86_400;
const NAMES = [...Intl.supportedValuesOf('timeZone'), UTC];

const instantOf = (text: string): number => Date.parse(text) / 1000;
const dayNamed = (date: string): number => instantOf(`${date}T00:00:00Z`) / DAY;
const utc = (instant: number): string => new Date(instant * 1000).toISOString().replace('.000Z', 'Z');

const dateShown = (name: string, instant: number): number => Math.floor(shown(name, instant) / DAY);

/** The beginnings of the hours of a day. */
function hoursOf(name: string, day: number): number[] {
  const { findStart, hoursBetween } = findZone(name);
  return hoursBetween(findStart(day), findStart(day + 1));
}

/** Any instant from 1970 to 2040, and those at which a zone changes its clocks more often than chance would find them. */
const instant = fc.integer({ min: 0, max: instantOf('2040-01-01T00:00:00Z') });
const zone = fc.constantFrom(...NAMES);
const runs = { numRuns: 1_000 };

test('offset and date are those of the system, at any instant in any zone', () => {
  fc.assert(
    fc.property(zone, instant, (name, at) => {
      assert.equal(findZone(name).offsetAt(at), shown(name, at) - at);
      assert.equal(findZone(name).dateAt(at), dateShown(name, at));
    }),
    runs,
  );
});

test('a day begins with the first instant of its date, ends where the next begins, and its hours fill it', () => {
  fc.assert(
    fc.property(zone, fc.integer({ min: 1, max: dayNamed('2040-01-01') }), (name, day) => {
      const { findStart, dayAt, hourAt } = findZone(name);
      const [first, end] = [findStart(day), findStart(day + 1)];
      assert.ok(dateShown(name, first) >= day, 'the date has begun');
      assert.ok(dateShown(name, first - 1) < day, 'and not before');
      assert.equal(dayAt(first - 1) < day, true);
      const hours = hoursOf(name, day);
      if (first === end) assert.deepEqual(hours, [], 'a date that the zone left out has no hours');
      else {
        assert.deepEqual([dayAt(first), dayAt(end - 1)], [day, day]);
        assert.equal(hours[0], first);
        for (const [i, hour] of hours.entries()) {
          const length = (hours[i + 1] ?? end) - hour;
          assert.deepEqual([hourAt(hour), hourAt(hour + length - 1)], [hour, hour]);
          assert.ok(length > 0 && length <= 3_600, `${name} ${utc(hour)} takes ${length} s`);
          assert.equal(shown(name, hour + length - 1) - shown(name, hour), length - 1, 'clocks run on within an hour');
          const isFull = shown(name, hour + length) % 3_600 === 0;
          const isChanged = shown(name, hour + length) - shown(name, hour) !== length;
          assert.ok(isFull || isChanged, 'and it ends on the full hour or with a change');
        }
      }
    }),
    { ...runs, examples: [['America/St_Johns', dayNamed('2005-04-03')]] },
  );
});

test('a time that clocks show is found again, and one that they leave out when they are past it', () => {
  fc.assert(
    fc.property(zone, instant, (name, at) => {
      const found = findZone(name).findInstant(shown(name, at));
      assert.ok(found <= at && at - found < 86_400, 'of two such times it is the first');
      assert.equal(shown(name, found), shown(name, at));
      const left = findZone(name).findInstant(at);
      assert.ok(shown(name, left) >= at && shown(name, left - 1) < at);
    }),
    runs,
  );
});

/** Days that are not like others: their beginning, their length in hours, and how many hours clocks show. */
const ODD = [
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', 23, 23, 'clocks set forward'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', 25, 25, 'clocks set back'],
  ['Asia/Calcutta', '2026-03-10', '2026-03-09T18:30:00Z', 24, 24, 'half an hour off'],
  ['Asia/Katmandu', '2026-03-10', '2026-03-09T18:15:00Z', 24, 24, 'a quarter off'],
  ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', 24.5, 25, 'set back by half an hour, at two'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00Z', 23.5, 24, 'set forward by half an hour'],
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z', 23, 23, 'there is no midnight'],
  ['America/Havana', '2026-03-08', '2026-03-08T05:00:00Z', 23, 23, 'there is no midnight'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z', 25, 25, 'midnight comes twice'],
  ['Asia/Beirut', '2026-10-24', '2026-10-23T21:00:00Z', 25, 25, 'set back at midnight'],
  ['America/St_Johns', '2010-11-06', '2010-11-06T02:30:00Z', 24, 24, 'the next date begins, and goes for an hour'],
  ['America/St_Johns', '2010-11-07', '2010-11-07T02:30:00Z', 25, 26, 'and keeps the hour that comes again'],
  ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00Z', 24, 24, 'the day before the one left out'],
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z', 0, 0, 'left out'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z', 24, 24, 'the day after'],
  ['Pacific/Kiritimati', '2026-03-10', '2026-03-09T10:00:00Z', 24, 24, 'the first of all'],
  ['Etc/GMT+12', '2026-03-10', '2026-03-10T12:00:00Z', 24, 24, 'the last of all'],
  ['Africa/Monrovia', '1971-05-01', '1971-05-01T00:44:30Z', 24, 24, 'with seconds'],
  [UTC, '2026-03-10', '2026-03-10T00:00:00Z', 24, 24, 'as ever'],
] as const;

test('odd days are as long as they are', () => {
  const found = ODD.map(([name, date, , , , why]) => {
    const { findStart } = findZone(name);
    const day = dayNamed(date);
    const length = (findStart(day + 1) - findStart(day)) / 3_600;
    return [name, date, utc(findStart(day)), length, hoursOf(name, day).length, why];
  });
  assert.deepEqual(found, ODD);
});

test('an hour that comes twice begins twice', () => {
  const hours = hoursOf('Europe/Berlin', dayNamed('2026-10-25'));
  assert.deepEqual(hours.slice(1, 5).map(utc), [
    '2026-10-24T23:00:00Z',
    '2026-10-25T00:00:00Z',
    '2026-10-25T01:00:00Z',
    '2026-10-25T02:00:00Z',
  ]);
});

test('hours between two instants begin with the one that is running', () => {
  const { hoursBetween } = findZone('Asia/Calcutta');
  const from = instantOf('2026-03-10T10:29:59Z');
  assert.deepEqual(hoursBetween(from, from + 2).map(utc), ['2026-03-10T09:30:00Z', '2026-03-10T10:30:00Z']);
  assert.deepEqual(hoursBetween(from, from), []);
});

test('an instant is written as clocks show it, with how far they are ahead', () => {
  const since = instantOf('1973-01-01T00:00:00Z');
  fc.assert(
    fc.property(zone, instant, (name, some) => {
      const at = Math.max(some, since);
      const text = findZone(name).writtenAt(at);
      assert.equal(instantOf(text), at, 'whoever reads it finds the instant');
      assert.equal(instantOf(`${text.slice(0, 19)}Z`), shown(name, at));
    }),
    runs,
  );
  const written = (name: string, text: string) => findZone(name).writtenAt(instantOf(text));
  assert.equal(written('UTC', '2026-03-10T10:00:00Z'), '2026-03-10T10:00:00+00:00');
  assert.equal(written('America/St_Johns', '2026-03-01T00:30:00Z'), '2026-02-28T21:00:00-03:30');
  assert.equal(written('Africa/Monrovia', '1971-05-01T00:44:30Z'), '1971-05-01T00:00:00-00:44:30');
});

test('a name is taken in any case, links included, and given as the system writes it', () => {
  const canonical = (typed: string) => findCanonicalZone(typed);
  assert.equal(canonical('europe/BERLIN'), 'Europe/Berlin');
  assert.equal(canonical('us/eastern'), 'America/New_York');
  assert.equal(canonical('Zulu'), UTC);
  for (const typed of ['Asia/Kolkata', 'asia/calcutta']) assert.equal(canonical(typed), 'Asia/Kolkata');
});

test('every zone that the system knows is called by its name of today, by which it is taken too', () => {
  const known = Intl.supportedValuesOf('timeZone');
  for (const name of known) {
    const current = findCanonicalZone(name) ?? assert.fail(name);
    assert.equal(current, findCurrentName(name));
    assert.equal(findCanonicalZone(current), current, name);
    assert.equal(current in RENAMED, false, name);
  }
  const tab = '/usr/share/zoneinfo/zone.tab';
  if (!existsSync(tab)) return;
  const names = readFileSync(tab, 'utf8')
    .split('\n')
    .map((line) => line.split('\t')[2]);
  assert.deepEqual(
    known.map(findCurrentName).filter((name) => name !== UTC && !names.includes(name)),
    [],
  );
});

test('what is no name of a zone is none', () => {
  for (const typed of [
    '',
    ' ',
    '+02:00',
    '-05',
    '02:00',
    'Mars/Olympus',
    'Europe/Berlin ',
    '\u0130stanbul',
    'a'.repeat(99),
  ]) {
    assert.equal(findCanonicalZone(typed), undefined, typed);
  }
});
