// The message that visitors have reached goals of a site. Only destinations, such as a channel in Slack, get this
// message. It is not sent as a mail, because a recipient would get many mails a day.
//
// Every 10 minutes, the conversions of the day are compared with the conversions in the last message. Each message
// stores the conversions that it reported. So a conversion is reported once, even after a restart
// (test/jobs/goals.test.ts). In the first hour of a day, the conversions of the day before are compared too.
//
// Example: at 14:00, a message reports 3 conversions. At 14:10 the day has 5 conversions, so a message reports 2 new
// ones. An exclusion may make the number of conversions smaller. Then no message follows until this number is above the
// number that was reported last. kinds.ts lists the message.

import { HOUR, MINUTE } from '../lib/time.ts';
import { findSiteDay, findZone } from '../lib/zone.ts';
import { writeDate } from '../stats/interval.ts';
import { listGoals, type Target } from '../store/sites/goals.ts';
import type { MailKind, Sources, Watched } from './kind.ts';
import { dashboardUrl } from './letter.ts';
import { nameGoal } from './reports.ts';

const EVERY_SECONDS = 10 * MINUTE;
const MOST_GOALS = 10;

/**
 * A goal that was reached. `now` counts the conversions since the last message, and `today` all conversions of this
 * day.
 */
type Reached = Omit<Target, 'type'> & { id: number; now: number; today: number };

/** The conversions of each goal that messages have already reported, by day and by the goal's id. */
type Told = Record<number, Record<number, number>>;
type Details = { told: Told; reached: Reached[] };

export const round = (now: number): number => Math.floor(now / EVERY_SECONDS);

export const due: Watched['due'] = async (sources, site, { now, last }) => {
  const today = findSiteDay(site, now);
  const isFirstHour = now - findZone(site.timeZone).findStart(today) < HOUR;
  const before: Told = last?.details ? (JSON.parse(last.details) as Details).told : {};
  const days = isFirstHour ? [today - 1, today] : [today];
  const found = await Promise.all(days.map((day) => findReached(sources, site.id, day, before[day] ?? {})));
  const reached = found.flatMap((one) => one.reached);
  if (reached.length === 0) return undefined;
  const told = Object.fromEntries(days.map((day, i) => [day, found[i]?.told ?? {}]));
  return { at: round(now) * EVERY_SECONDS, details: JSON.stringify({ told, reached } satisfies Details) };
};

async function findReached({ db, ask }: Sources, siteId: number, day: number, told: Record<number, number>) {
  const goals = listGoals(db, siteId);
  const range = { from: day, to: day + 1 };
  const answer = goals.length === 0 ? [] : (await ask({ report: 'goals', siteId, range, filters: {}, goals })).goals;
  const reached: Reached[] = [];
  const all: Record<number, number> = {};
  for (const { id, value, property, scroll, conversions } of answer) {
    const [before, today] = [told[id] ?? 0, conversions ?? 0];
    all[id] = Math.max(before, today);
    if (today > before) reached.push({ id, value, property, scroll, now: today - before, today });
  }
  return { reached, told: all };
}

export const letter: MailKind['letter'] = async ({ config }, site, { at, details }, voice) => {
  if (!details) return undefined;
  const { t, plural, number } = voice;
  const { domain } = site;
  const { reached } = JSON.parse(details) as Details;
  const count = reached.reduce((sum, { now }) => sum + now, 0);
  const date = writeDate(findZone(site.timeZone).dateAt(at));
  const subject = plural(count, '{domain}: {count} conversion', '{domain}: {count} conversions', { domain });
  return {
    subject,
    title: subject,
    blocks: [
      {
        kind: 'table',
        heading: t('Goals'),
        columns: [t('New'), t('On this day')],
        rows: reached
          .toSorted((one, other) => other.now - one.now || one.id - other.id)
          .slice(0, MOST_GOALS)
          .map((goal) => [
            { words: nameGoal(goal, voice) },
            { words: number(goal.now) },
            { words: number(goal.today) },
          ]),
      },
    ],
    link: { words: t('Open the dashboard'), url: dashboardUrl(config.baseUrl, domain, `${date}~${date}`) },
  };
};
