import type { Config } from '../config.ts';
import { listDrops } from '../ledger/drops.ts';
import { lastHit as lastOfAll } from '../ledger/growth.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { type Clock, DAY, seconds } from '../lib/time.ts';
import { written } from '../mail/html.ts';
import type { Letter } from '../mail/letter.ts';
import type { Post } from '../mail/post.ts';
import { isSilent, returnLetter, silenceLetter, silenceOf } from '../mail/silence.ts';
import { begins, isOver, lastHour, trafficLetter, trafficOf } from '../mail/traffic.ts';
import { reportMoment, weeklyLetter } from '../mail/weekly.ts';
import type { Ask } from '../stats/ask.ts';
import { findStanding, isBlocked } from '../store/accounts.ts';
import { listGoals } from '../store/goals.ts';
import {
  addMailing,
  endMailing,
  findEpisode,
  findMailedSite,
  listMailings,
  listReportSites,
  listSilenceSites,
  listTrafficSites,
  listWaiting,
  type MailedSite,
  type Mailing,
  type MailingKind,
  noteMailed,
} from '../store/mailings.ts';
import type { Db } from '../store/statements.ts';
import { mailKey, unsubscribeSecret } from '../store/unsubscribed.ts';

/** So long something is worth telling: after a weekend without a server Monday's report still goes out. */
const FRESH_SECONDS = 2 * DAY;
/** A mail server that takes its time must not keep the next look waiting for long. */
const MOST_A_RUN = 50;
const SILENCE_EVERY = 600;
/** Where nobody has looked for so long, the server was not running, or the machine slept. */
const BREAK_SECONDS = 900;

/** What letters are made from. */
export type Desk = { config: Config; db: Db; ask: Ask };

type Occasion = { at: number; now: number; createdAt: number; aliveSince: number | undefined };

/** What there is to say about a site; undefined where that is nothing. */
const LETTERS: Record<
  MailingKind,
  (desk: Desk, site: MailedSite, occasion: Occasion) => Promise<Letter | undefined> | Letter
> = {
  weekly: ({ config, db, ask }, { id, domain }, { at }) =>
    weeklyLetter(ask, { siteId: id, domain, baseUrl: config.baseUrl, goals: listGoals(db, id) }, at),
  traffic: ({ config, ask }, { id, domain }, { at }) =>
    trafficLetter(ask, { siteId: id, domain, baseUrl: config.baseUrl }, at),
  async silence({ config, db, ask }, { id, domain }, { now, aliveSince }) {
    const silence = await silenceOf(ask, id, now, aliveSince ?? 0);
    const drops = listDrops(db, id, Math.floor(silence.since / DAY), Math.floor(now / DAY) + 1);
    return silenceLetter({ ...config, domain }, { silence, now, aliveSince, lastOfAll: lastOfAll(db), drops });
  },
  return: ({ config }, { domain }, { at, createdAt }) => returnLetter({ ...config, domain }, at, createdAt),
};

/** What a mail of a kind would say now. */
export function letterNow(
  desk: Desk,
  kind: Exclude<MailingKind, 'return'>,
  site: MailedSite,
  now: number,
): Promise<Letter | undefined> | Letter {
  const at = { weekly: reportMoment(now), traffic: lastHour(now), silence: now }[kind];
  return LETTERS[kind](desk, site, { at, now, createdAt: now, aliveSince: undefined });
}

type Deps = Desk & { clock: Clock; random: Random; log: Log; post: Post };

export type SiteMails = ReturnType<typeof siteMails>;

/**
 * The mails about sites. First what there is to tell is written down, then it is sent to each who has not got it, and each is
 * written down too: so a new start, a mail server that is down or one of many addresses that does not exist neither loses a
 * mail nor doubles one. Held by test/jobs/mail.test.ts.
 */
export function siteMails(deps: Deps) {
  const { config, db, clock, random, log, post, ask } = deps;
  let isStopped = false;
  let aliveSince = seconds(clock);
  let lastLook = aliveSince;
  let hourDone: number | undefined;
  let silenceDone = 0;
  /** How often sending a mail to somebody has failed, so that those with whom it never works do not keep back the others. */
  const failures = new Map<string, number>();

  const mayRead = ({ accountId }: MailedSite, now: number): boolean => !isBlocked(findStanding(db, accountId, now));

  /** One site after the other; what goes wrong with one is logged, and says that not all is done. */
  async function forEach(sites: readonly MailedSite[], now: number, work: (site: MailedSite) => Promise<void>) {
    let isDone = true;
    for (const site of sites) {
      if (isStopped) return false;
      if (!mayRead(site, now)) continue;
      try {
        await work(site);
      } catch (error) {
        isDone = false;
        if (!isStopped) log('a mail could not be thought of', { site: site.id, message: (error as Error).message });
      }
    }
    return isDone;
  }

  async function thinkOfReports(now: number): Promise<void> {
    const at = reportMoment(now);
    if (now - at >= FRESH_SECONDS) return;
    await forEach(listReportSites(db, at), now, async (site) => {
      const letter = await LETTERS.weekly(deps, site, { at, now, createdAt: now, aliveSince });
      const mailing = { siteId: site.id, kind: 'weekly' as const, at, now };
      db.write(() => addMailing(db, letter ? mailing : { ...mailing, endedAt: now }));
    });
  }

  async function thinkOfTraffic(now: number): Promise<void> {
    const hour = lastHour(now);
    if (hour === hourDone) return;
    const isDone = await forEach(listTrafficSites(db), now, async ({ id }) => {
      const traffic = await trafficOf(ask, id, hour);
      const episode = findEpisode(db, id, 'traffic');
      if (episode && (!traffic || isOver(traffic))) db.write(() => endMailing(db, episode.id, now));
      if (episode || !traffic || !begins(traffic)) return;
      db.write(() => addMailing(db, { siteId: id, kind: 'traffic', at: hour, now }));
    });
    if (isDone) hourDone = hour;
  }

  async function thinkOfSilence(now: number): Promise<void> {
    if (now - silenceDone < SILENCE_EVERY && now >= silenceDone) return;
    const isDone = await forEach(listSilenceSites(db), now, async ({ id }) => {
      const silence = await silenceOf(ask, id, now, aliveSince);
      const episode = findEpisode(db, id, 'silence');
      if (episode && (silence.lastHit ?? 0) > episode.at) {
        db.write(() => {
          endMailing(db, episode.id, now);
          addMailing(db, { siteId: id, kind: 'return', at: episode.at, now });
        });
      } else if (!episode && silence.lastHit !== undefined && isSilent(silence, now)) {
        const at = silence.lastHit;
        db.write(() => addMailing(db, { siteId: id, kind: 'silence', at, now }));
      }
    });
    if (isDone) silenceDone = now;
  }

  type Due = { mailing: Mailing; site: MailedSite; userId: number; email: string };
  const keyOf = ({ mailing, userId }: Due): string => `${mailing.id} ${userId}`;

  function listDue(now: number): Due[] {
    const due = listMailings(db, now - FRESH_SECONDS).flatMap((mailing): Due[] => {
      const site = findMailedSite(db, mailing.siteId);
      if (!site || !mayRead(site, now)) return [];
      return listWaiting(db, mailing).map(({ id, email }) => ({ mailing, site, userId: id, email }));
    });
    const failed = (one: Due) => failures.get(keyOf(one)) ?? 0;
    if (due.length === 0) failures.clear();
    return due.sort((one, other) => failed(one) - failed(other)).slice(0, MOST_A_RUN);
  }

  /** Says whether the mail server can be reached. */
  async function sendOne(one: Due, letter: Letter, now: number): Promise<boolean> {
    const { mailing, site, userId, email } = one;
    const secret = unsubscribeSecret(mailKey(db, random), { siteId: site.id, userId });
    const unsubscribe = `${config.baseUrl}/unsubscribe/${secret}`;
    const because = `You get this because you may see the statistics of ${site.domain}.`;
    // The same for each try: where one went out and that could not be written down, programs show the second no more.
    const messageId = `<${mailing.kind}.${mailing.id}.${mailing.at}.${userId}@${new URL(config.baseUrl).hostname}>`;
    const delivery = await post.deliver({
      ...written(letter, { because, unsubscribe }),
      to: email,
      messageId,
      unsubscribe,
    });
    if (delivery === 'sent' || delivery === 'refused') noteMailed(db, mailing.id, userId, delivery === 'sent', now);
    else failures.set(keyOf(one), (failures.get(keyOf(one)) ?? 0) + 1);
    return delivery !== 'down';
  }

  async function send(now: number): Promise<void> {
    const letters = new Map<number, Letter | undefined>();
    let sent = 0;
    for (const one of listDue(now)) {
      if (isStopped) return;
      const { mailing, site } = one;
      if (!letters.has(mailing.id)) {
        letters.set(mailing.id, await LETTERS[mailing.kind](deps, site, { ...mailing, now, aliveSince }));
      }
      const letter = letters.get(mailing.id);
      if (!letter) continue;
      if (!(await sendOne(one, letter, now))) break;
      sent++;
    }
    if (sent > 0) log('mails sent', { mails: sent });
  }

  return {
    /** One look at what there is to tell and to send. */
    async run(): Promise<void> {
      const now = seconds(clock);
      if (now - lastLook > BREAK_SECONDS || now < lastLook) aliveSince = now;
      lastLook = now;
      if (!post.works || isStopped) return;
      await thinkOfReports(now);
      await thinkOfTraffic(now);
      await thinkOfSilence(now);
      await send(now);
    },
    /** Nothing more is begun. */
    stop(): void {
      isStopped = true;
    },
  };
}
