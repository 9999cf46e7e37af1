import { plural } from '../lib/plural.ts';
import { DAY, dayOf, HOUR } from '../lib/time.ts';
import { dayOfSite, type SiteZone, zoneOf } from '../lib/zone.ts';
import type { Ask } from '../stats/ask.ts';
import { suggestQuestion } from '../stats/suggestion.ts';
import { type Compared, compared, isAbove, isFarAbove } from '../stats/unusual.ts';
import { dayIn, decimal, hourIn, number, shown, weekdayIn } from './figures.ts';
import type { Kind, Watched } from './kind.ts';
import { type Block, dashboardUrl } from './letter.ts';
import { suggested } from './suggested.ts';
import { arrivalsBetween, historyOf, weeksBefore } from './usual.ts';

/*
 * The rule. The visitors of the last complete hour, and those of its day up to its end, are compared with the same hour and
 * time of the same weekday of the last weeks, as in src/stats/unusual.ts. An episode begins with an hour that is above where it or
 * its day is far above, and ends with the first hour that is not above.
 */

/** The hour is given by its first second. */
export type Traffic = { hour: number; ofHour: Compared; ofDay: Compared };

/** By the clocks of the site. */
export function lastHour(now: number, { timeZone }: Pick<SiteZone, 'timeZone'>): number {
  const { hourAt } = zoneOf(timeZone);
  return hourAt(hourAt(now) - 1);
}

/** An hour that comes twice, or is cut short, when the clocks are changed is like no hour of the weeks before. */
export function isWhole(timeZone: string, hour: number): boolean {
  const { localAt, instantOf, hourAt } = zoneOf(timeZone);
  const [local, end] = [localAt(hour), hour + HOUR];
  return instantOf(local) === hour && hourAt(end) === end && Math.floor(localAt(end) / HOUR) > local / HOUR;
}

/** Undefined as long as the site has not been there for enough weeks. */
async function trafficOf(ask: Ask, site: { id: number } & SiteZone, hour: number): Promise<Traffic | undefined> {
  const history = await historyOf(ask, site, hour);
  const local = zoneOf(site.timeZone).localAt(hour);
  const before = weeksBefore(history, local);
  if (before.length === 0) return undefined;
  const inHour = (at: number) => history.at(at).visitors;
  const inDay = (at: number) => arrivalsBetween(history, at - (at % DAY), at + HOUR);
  return {
    hour,
    ofHour: compared(inHour(local), before.map(inHour)),
    ofDay: compared(inDay(local), before.map(inDay)),
  };
}

/** Whether an episode begins. */
export const begins = ({ ofHour, ofDay }: Traffic): boolean =>
  isAbove(ofHour) && (isFarAbove(ofHour) || isFarAbove(ofDay));

export const isOver = ({ ofHour }: Traffic): boolean => !isAbove(ofHour);

export const due: Watched['due'] = async ({ ask }, site, { round: hour, last }) => {
  if (!isWhole(site.timeZone, hour)) return undefined;
  const traffic = await trafficOf(ask, site, hour);
  if (last?.endedAt === null) return !traffic || isOver(traffic) ? 'over' : undefined;
  return traffic && begins(traffic) ? { at: hour } : undefined;
};

const CAUSES = [
  { name: 'Source', breakdown: 'referrers' },
  { name: 'Page', breakdown: 'pages' },
  { name: 'Campaign', breakdown: 'utm_campaign' },
] as const;
const USUAL_DAYS = 28;
/** A value that is not among so many of four weeks had hardly any visitors. */
const MOST_KNOWN = 1_000;

type Grown = { name: string; value: string; now: number; usual: number };

/** Of each dimension the value that grew most: its visitors on a day, less those of an average day of the four weeks before. */
async function grownMost(ask: Ask, siteId: number, day: number): Promise<Grown[]> {
  const all = await Promise.all(
    CAUSES.map(async ({ name, breakdown }) => {
      const base = { report: 'breakdown', breakdown, siteId, filters: {}, limit: MOST_KNOWN } as const;
      const rowsOf = (from: number, to: number) => ask({ ...base, range: { from, to } });
      const [now, before] = await Promise.all([rowsOf(day, day + 1), rowsOf(day - USUAL_DAYS, day)]);
      const usual = new Map(before.rows.map(({ value, visitors }) => [value, visitors / USUAL_DAYS]));
      const grown = now.rows.map(({ value, visitors }) => ({
        name,
        value,
        now: visitors,
        usual: usual.get(value) ?? 0,
      }));
      return grown
        .filter((one) => one.now > one.usual)
        .sort((one, other) => other.now - other.usual - (one.now - one.usual))
        .slice(0, 1);
    }),
  );
  return all.flat();
}

const labelOf = ({ name, value }: Grown): string => shown(value) || (name === 'Source' ? 'Direct / unknown' : '/');

function causes(grown: readonly Grown[], isUnusual: boolean): Block[] {
  const source = grown.find(({ name }) => name === 'Source');
  const page = grown.find(({ name }) => name === 'Page');
  if (!source && !page) return [];
  const from = source ? ` from ${labelOf(source)}` : '';
  const to = page ? ` to the page ${labelOf(page)}` : '';
  return [
    ...(isUnusual ? [{ kind: 'words' as const, words: `Most likely cause: visitors${from}${to}.` }] : []),
    {
      kind: 'table',
      heading: 'What grew most',
      columns: ['That day', 'Usual day'],
      rows: grown.map((one) => [
        { words: `${one.name} ${labelOf(one)}` },
        { words: number(one.now) },
        { words: decimal(one.usual) },
      ]),
    },
  ];
}

const row = (name: string, { now, usual }: Compared) => [
  { words: name },
  { words: number(Math.round(now)) },
  { words: decimal(usual) },
];

export const letter: Kind['letter'] = async ({ config, ask, suggest }, site, { at: hour }) => {
  const { id: siteId, domain } = site;
  const zone = zoneOf(site.timeZone);
  const traffic = await trafficOf(ask, site, hour);
  const day = dayOfSite(site, hour);
  const date = dayOf(day * DAY);
  const hourWords = hourIn(zone, hour);
  const comparison: Block[] = traffic
    ? [
        {
          kind: 'words',
          words: `${dayIn(zone, hour)}, ${hourWords}: ${plural(traffic.ofHour.now, 'visitor', number)}. Usual for a ${weekdayIn(zone, hour)} at this hour: ${decimal(traffic.ofHour.usual)}.`,
        },
        {
          kind: 'table',
          heading: 'Visitors',
          columns: ['Now', 'Usual'],
          rows: [row(`The hour ${hourWords}`, traffic.ofHour), row('The day until then', traffic.ofDay)],
        },
      ]
    : [{ kind: 'words', words: 'What is usual is known after four weeks with visitors.' }];
  const alike = await suggest(suggestQuestion(site, day, hour + HOUR));
  const isUnusual = traffic !== undefined && begins(traffic);
  return {
    subject: `${domain}: ${isUnusual ? 'far more visitors than usual' : 'visitors of the last hour'}`,
    title: isUnusual ? `${domain} has far more visitors than usual` : `${domain} in the last hour`,
    blocks: [
      ...comparison,
      ...causes(await grownMost(ask, siteId, day), isUnusual),
      ...suggested(domain, alike),
      { kind: 'words', words: 'You get one alert until traffic is normal again.' },
    ],
    link: { words: 'Open the day', url: dashboardUrl(config.baseUrl, domain, `${date}~${date}`) },
  };
};
