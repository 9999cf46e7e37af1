// The alert that a site has become silent, and the mail that visitors are back.
//
// A site is silent if no visitor came for at least an hour, although at least 12 were usual in this time. If visitors
// come independently of each other, chance alone causes this once in 160,000 such periods (Poisson: e^-12).
//
// The usual number is the median of the last 8 weeks, at the same times of the same weekdays. With fewer than 4 known
// weeks, there is no alert. The usual number is lowered if the week before the silence had fewer visitors than usual. A
// silence begins with the last hit, or with the start of the server if that is later.
//
// Example: a shop usually has 20 visitors on Tuesdays from 10:00 to 11:00. Today the last hit was at 10:00. The alert
// is sent soon after 11:00. kinds.ts lists the alert.

import { HOUR, iso, MINUTE, WEEK } from '../lib/time.ts';
import { findSiteDay, findZone, type SiteZone, type Zone } from '../lib/zone.ts';
import { computeMedian } from '../stats/unusual.ts';
import type { MailKind, Occasion, Watched } from './kind.ts';
import { type Block, dashboardUrl, type Letter } from './letter.ts';
import { arrivalsBetween, type HistorySource, readHistory, weeksBefore } from './usual.ts';
import type { MailMessage, Voice } from './voice.ts';

const LEAST_EXPECTED = 12;
const LEAST_SECONDS = HOUR;
const EVERY_SECONDS = 10 * MINUTE;

/**
 * A time without hits, from the instant `since` until now. `lastHit` is undefined if the last 9 weeks had no hit.
 * `expected` is how many visitors are usual in this time.
 */
export type Silence = { lastHit: number | undefined; since: number; expected: number };

type ZonedSite = { id: number } & SiteZone;

export async function measureSilence(
  source: HistorySource,
  site: ZonedSite,
  now: number,
  aliveSince: number,
): Promise<Silence> {
  const history = await readHistory(source, site, now);
  const { localAt } = findZone(site.timeZone);
  const { lastHit } = history;
  const since = Math.min(now, Math.max(lastHit ?? now, aliveSince));
  const before = weeksBefore(history, localAt(since));
  const usual = computeMedian(before.map((at) => arrivalsBetween(history, at, at + now - since)));
  const begin = localAt(lastHit ?? since);
  const lastWeek = arrivalsBetween(history, begin - WEEK, begin);
  const usualWeek = computeMedian(
    weeksBefore(history, begin - WEEK).map((at) => arrivalsBetween(history, at, at + WEEK)),
  );
  const expected = usualWeek === 0 ? usual : usual * Math.min(1, lastWeek / usualWeek);
  return { lastHit, since, expected };
}

export const isSilent = ({ since, expected }: Silence, now: number): boolean =>
  now - since >= LEAST_SECONDS && expected >= LEAST_EXPECTED;

export const round = (now: number): number => Math.floor(now / EVERY_SECONDS);

export const due: Watched['due'] = async (source, site, { now, aliveSince, last }) => {
  const silence = await measureSilence(source, site, now, aliveSince);
  const { lastHit } = silence;
  if (last?.endedAt === null) return (lastHit ?? 0) > last.at ? 'over' : undefined;
  return lastHit !== undefined && isSilent(silence, now) ? { at: lastHit } : undefined;
};

type Site = { domain: string; timeZone: string; baseUrl: string; script: string };
type Facts = Pick<Occasion, 'now' | 'aliveSince'> & {
  silence: Silence;
  /** The instant of the latest hit of any site, or 0 if no site has a hit. */
  lastOfAll: number;
  drops: readonly { reason: string; hits: number }[];
};

export function silenceLetter(site: Site, facts: Facts, voice: Voice): Letter {
  const { t, decimal, duration, momentIn } = voice;
  const { domain, baseUrl } = site;
  const zone = findZone(site.timeZone);
  const { lastHit, since, expected } = facts.silence;
  const { subject, title } = HEADS[isSilent(facts.silence, facts.now) ? 'unusual' : 'other'];
  return {
    subject: t(subject, { domain, duration: duration(facts.now - since) }),
    title: t(title, { domain }),
    blocks: [
      {
        kind: 'words',
        words: lastHit
          ? t('Last hit: {moment} ({iso}).', { moment: momentIn(zone, lastHit), iso: iso(lastHit) })
          : t('There were no hits in recent weeks.'),
      },
      {
        kind: 'words',
        words: t('No visitors for {duration}. Usual for this period: {visitors}.', {
          duration: duration(facts.now - since),
          visitors: decimal(expected),
        }),
      },
      ...server(facts, zone, voice),
      ...causes(facts, voice),
      {
        kind: 'table',
        heading: t('What to check'),
        columns: [],
        rows: listChecks(site, voice).map((words) => [{ words }]),
      },
      { kind: 'words', words: t('You will get another message when visitors are back.') },
    ],
    link: { words: t('Open the dashboard'), url: dashboardUrl(baseUrl, domain, '7d') },
  };
}

export const letter: MailKind['letter'] = async (sources, site, { now, aliveSince, endedAt }, voice) => {
  if (endedAt !== null) return undefined;
  const { config } = sources;
  const silence = await measureSilence(sources, site, now, aliveSince ?? 0);
  const { id, domain, timeZone } = site;
  const range = { from: findZone(timeZone).dateAt(silence.since), to: findSiteDay(site, now) + 1 };
  const [lastOfAll, drops] = await Promise.all([sources.queries.findLastHit(), sources.queries.listDrops(id, range)]);
  return silenceLetter({ ...config, domain, timeZone }, { silence, now, aliveSince, lastOfAll, drops }, voice);
};

export const returnLetter: MailKind['letter'] = async (
  { config },
  { domain, timeZone },
  { at: lastHit, createdAt },
  { t, momentIn },
) => ({
  subject: t('{domain}: visitors are back', { domain }),
  title: t('{domain} has visitors again', { domain }),
  blocks: [
    {
      kind: 'words',
      words: t('No hits arrived between {from} and {to}.', {
        from: momentIn(findZone(timeZone), lastHit),
        to: momentIn(findZone(timeZone), createdAt),
      }),
    },
  ],
  link: { words: t('Open the dashboard'), url: dashboardUrl(config.baseUrl, domain, '7d') },
});

function server({ silence: { lastHit = 0 }, aliveSince }: Facts, zone: Zone, { t, momentIn }: Voice): Block[] {
  if (aliveSince === undefined) return [];
  const message: MailMessage =
    aliveSince > lastHit
      ? 'The server was started after the last hit ({moment}). Only the time since the start counts.'
      : 'The server has been running without interruption since {moment}.';
  return [{ kind: 'words', words: t(message, { moment: momentIn(zone, aliveSince) }) }];
}

/**
 * Reasons for drops that may explain a silence. Drops of bots and of prefetched pages happen every day, so they explain
 * nothing.
 */
const TELLING = ['foreign-host', 'unknown-site', 'flood', 'day-full', 'excluded', 'blocked'];

/**
 * Names the most likely cause. If other sites get hits, the server can be reached. Then the cause is probably on the
 * pages of this site.
 */
function causes({ silence, now, lastOfAll, drops }: Facts, { t, number }: Voice): Block[] {
  if (!isSilent(silence, now)) return [];
  const cause: MailMessage =
    lastOfAll > silence.since
      ? 'Most likely cause: the pages no longer load the script. The server is reachable: its other sites are getting hits.'
      : 'Most likely cause: the site or this server cannot be reached, or the pages do not load the script. No site on this server gets hits.';
  const telling = drops.filter(({ reason }) => TELLING.includes(reason));
  const rows = telling.map(({ reason, hits }) => [{ words: reason }, { words: number(hits) }]);
  return [
    { kind: 'words', words: t(cause) },
    ...(rows.length === 0
      ? []
      : [
          {
            kind: 'table' as const,
            heading: t('Hits on these days that were not counted'),
            columns: [t('Hits')],
            rows,
          },
        ]),
  ];
}

/** Lists what the owner can check. The most likely cause comes first. */
const listChecks = ({ domain, baseUrl, script }: Site, { t }: Voice): string[] => [
  t('Does https://{domain}/ open, and is the script in its source code?', { domain }),
  t('Does {script} open? If not, check the server, the proxy, DNS and the certificate.', {
    script: `${baseUrl}${script}.js`,
  }),
  t(
    'Does the browser console show that the script is blocked, for example by Content-Security-Policy or a consent tool?',
  ),
  t('Run “daybook doctor” on the server. Does it report a problem?'),
];

/** The subject and the title: `unusual` for an alert, `other` for a preview of a site that is not silent. */
const HEADS: Record<'unusual' | 'other', { subject: MailMessage; title: MailMessage }> = {
  unusual: { subject: '{domain}: no visitors for {duration}', title: '{domain} has no visitors' },
  other: { subject: '{domain}: no visitors', title: '{domain} since the last hit' },
};
