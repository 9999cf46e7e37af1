// The message two weeks after a note, such as a deploy. The message says how the figures changed, and whether the
// change may be chance.
//
// Only a note with the switch `effect` gets a message. The message is sent as soon as the 14 days before and after the
// note are sealed. All such notes of a day are in one message, because figures cannot show which note had which effect.
// The notes and figures are stored with the message. So the message is sent once, even after a restart
// (test/jobs/effects.test.ts).
//
// Invariant: the figures of visitors and conversions equal the answer of `GET …/notes/{note}/effect`. If days are
// missing, the message names them. Each day after the note is compared with a day before it. With fewer than 7 such
// pairs of days, the message has no figures.
//
// Example: for a deploy of 10 March, 24 February to 9 March is compared with 11 to 24 March. The message follows on 25
// March, when 24 March is sealed. kinds.ts lists the message.

import { computeShare } from '../lib/percent.ts';
import { DAY, formatDay, HOUR, parseDay } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import {
  type CountPair,
  type DayPair,
  EFFECT_DAYS,
  type Effect,
  LEAST_PAIRS,
  measureEffect,
  measureRateEffect,
  type RatePair,
  sumSide,
} from '../stats/effects.ts';
import {
  type CountByDay,
  countConversions,
  countPairs,
  type EffectSource,
  findSpan,
  findWholePairs,
  listDays,
  listNotCompared,
} from '../stats/note-effect.ts';
import { findDays } from '../stats/site-days.ts';
import type { Db } from '../store/db.ts';
import { listMailingDetails, type MailedSite } from '../store/mail/mailings.ts';
import { listOutages } from '../store/server/outages.ts';
import { findGoal, type Goal } from '../store/sites/goals.ts';
import { listNotes, type Note } from '../store/sites/notes.ts';
import { findReportedSite } from '../store/sites/sites.ts';
import { type Details, type Figure, type Measured, type Subject, writeEffects } from './effect-letter.ts';
import type { MailKind, Sources, Watched } from './kind.ts';

export const KIND = 'effects';

/**
 * After the 14 days, the message waits up to this many further days until all compared days are sealed. If a day is not
 * sealed by then, no message is sent, and `daybook doctor` reports the day.
 */
const LONGEST_WAIT = 14;

export const round = (now: number): number => Math.floor(now / HOUR);

export const due: Watched['due'] = async (sources, site, { round: hour, now }) => {
  const subject = findSubject(sources.db, site, now);
  if (!subject || !(await isSealed(sources, site, subject.day))) return undefined;
  const measured = await measure(sources, site, subject.day, now);
  return { at: hour * HOUR, details: JSON.stringify({ ...subject, ...measured } satisfies Details) };
};

/**
 * Finds the first day with notes that need a message now. Returns those notes of the day that were in no message yet.
 */
function findSubject(db: Db, site: MailedSite, now: number): Subject | undefined {
  const last = findSiteDay(site, now) - EFFECT_DAYS - 1;
  const waiting = listEffectNotes(db, site.id, last - LONGEST_WAIT, last);
  // This function runs each hour for each site. Few sites have notes with the switch `effect`, so most calls end here.
  if (waiting.length === 0) return undefined;
  const told = new Set(
    listMailingDetails(db, site.id, KIND).flatMap((details) =>
      (JSON.parse(details) as Details).notes.map(({ id }) => id),
    ),
  );
  const notes = waiting.filter(({ id }) => !told.has(id));
  const [first] = notes;
  return first && makeSubject(notes.filter(({ date }) => date === first.date));
}

const listEffectNotes = (db: Db, siteId: number, from: number, to: number): Note[] =>
  listNotes(db, siteId, formatDay(from * DAY), formatDay(to * DAY)).filter(({ effect }) => effect);

const makeSubject = (notes: readonly Note[]): Subject => ({
  day: parseDay(notes[0]?.date ?? ''),
  notes: notes.map(({ id, text, url }) => ({ id, text, url })),
});

async function isSealed({ queries }: Sources, { id }: MailedSite, day: number): Promise<boolean> {
  const status = await queries.listDayStatus(id, { from: day - EFFECT_DAYS, to: day + EFFECT_DAYS + 1 });
  return status.every(({ state }) => state !== 'open');
}

async function measure(sources: Sources, site: MailedSite, day: number, now: number): Promise<Measured> {
  const { db, ask, queries, imports } = sources;
  const days = await findDays({ db, api: { imports, queries }, site, now });
  const source = {
    ask,
    queries,
    site,
    days,
    now,
    listOutages: ({ from, to }) => listOutages(db, from, to),
  } satisfies EffectSource;
  const { all, whole } = await findWholePairs(source, day);
  const missing = listNotCompared(all.filter((pair) => !whole.includes(pair)));
  if (whole.length < LEAST_PAIRS) return { pairs: whole.length, figures: [], notCompared: missing };
  const totals = await countTotals(sources, site.id, whole);
  const goal = findMainGoal(db, site);
  const conversions = goal && (await countConversions(source, goal, listDays(whole)));
  const figures = [
    makeCount('visitors', whole, totals.visitors),
    makeCount('visits', whole, totals.visits),
    makeRate(whole, totals.bounces),
    ...(conversions ? [{ ...makeCount('conversions', whole, conversions), goal }] : []),
  ];
  return { pairs: whole.length, figures, notCompared: missing };
}

function findMainGoal(db: Db, { id, domain }: MailedSite): Goal | undefined {
  const main = findReportedSite(db, domain)?.main_goal_id ?? null;
  return main === null ? undefined : findGoal(db, id, main);
}

/**
 * Counts the visitors, visits and bounces of all compared days in one query. The bounces of a day are unknown if its
 * import did not have them.
 */
async function countTotals({ queries }: Sources, siteId: number, pairs: readonly DayPair[]) {
  const range = findSpan(listDays(pairs));
  const query = { report: 'timeseries', interval: 'day', siteId, range, filters: {} } as const;
  const { totals, unknown = [] } = await queries.measure(query);
  const counted = totals.map((one, i) => ({ ...one, day: range.from + i, isKnown: !unknown[i]?.includes('bounces') }));
  return {
    visitors: new Map(counted.map(({ day, visitors }) => [day, visitors])),
    visits: new Map(counted.map(({ day, visits }) => [day, visits])),
    bounces: new Map(
      counted
        .filter(({ isKnown }) => isKnown)
        .map(({ day, bounces, visits }) => [day, { part: bounces, whole: visits }]),
    ),
  };
}

function makeCount(name: Figure['name'], pairs: readonly DayPair[], counts: CountByDay): Figure {
  const { counted } = countPairs(pairs, counts);
  return { name, ...readSides(counted, (side) => sumSide(counted, side)), ...judge(measureEffect(counted)) };
}

function makeRate(pairs: readonly DayPair[], counts: CountByDay<RatePair['before']>): Figure {
  const { counted } = countPairs(pairs, counts);
  const share = (side: keyof CountPair) => {
    const sum = (name: 'part' | 'whole') => counted.reduce((all, pair) => all + pair[side][name], 0);
    return computeShare(sum('part'), sum('whole'));
  };
  return { name: 'bounce_rate', ...readSides(counted, share), ...judge(measureRateEffect(counted)) };
}

const readSides = (counted: readonly unknown[], read: (side: keyof CountPair) => number) =>
  counted.length === 0 ? { before: null, after: null } : { before: read('before'), after: read('after') };

const judge = ({ change, verdict }: Effect) => ({ change, verdict });

/** Writes the message. A preview has no stored figures. A preview shows the latest note whose 14 days are over. */
export const letter: MailKind['letter'] = async (sources, site, { details, now }, voice) => {
  const found: Details | undefined = details ? JSON.parse(details) : await previewDetails(sources, site, now);
  return found && writeEffects(found, site.domain, sources.config.baseUrl, voice);
};

async function previewDetails(sources: Sources, site: MailedSite, now: number): Promise<Details | undefined> {
  const last = findSiteDay(site, now) - EFFECT_DAYS - 1;
  const notes = listEffectNotes(sources.db, site.id, 0, last);
  const latest = notes.at(-1);
  if (!latest) return undefined;
  const subject = makeSubject(notes.filter(({ date }) => date === latest.date));
  return { ...subject, ...(await measure(sources, site, subject.day, now)) };
}
