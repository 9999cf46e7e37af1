import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import {
  findMailedSite,
  listMailings,
  listWaiting,
  type MailedSite,
  type Mailing,
  noteMailed,
  type Reader,
} from '../store/mail/mailings.ts';
import { mailKey, unsubscribeSecret } from '../store/mail/unsubscribed.ts';
import { findStanding, isBlocked } from '../store/people/accounts.ts';
import { footerOf } from './footer.ts';
import { written } from './html.ts';
import { FRESH_SECONDS, type Kind, type Sources } from './kind.ts';
import { KINDS } from './kinds.ts';
import type { Letter } from './letter.ts';
import type { Delivery, Post } from './post.ts';
import { type Voice, voiceIn } from './voice.ts';

/** A mail server that takes its time must not keep the next look waiting for long. */
const MOST_A_RUN = 50;

type Deps = Sources & { random: Random; log: Log; post: Post; stop: AbortSignal };

/** Somebody who has not got a mail yet. */
type Waiting = { kind: Kind; mailing: Mailing; site: MailedSite; reader: Reader };

const keyOf = ({ mailing, reader }: Waiting): string => `${mailing.id} ${reader.id}`;

/** Sends what has been written down to each who waits for it. */
export function delivery(deps: Deps) {
  const { config, db, random, log, post, stop } = deps;
  /** How often sending a mail to somebody has failed, so that those with whom it never works do not hold up the others. */
  const failures = new Map<string, number>();

  function waitingFor(mailing: Mailing, kind: Kind, now: number): Waiting[] {
    const site = findMailedSite(db, mailing.siteId);
    if (!site || isBlocked(findStanding(db, site.accountId, now))) return [];
    const follows = 'follows' in kind ? kind.follows : undefined;
    return listWaiting(db, mailing, follows).map((reader) => ({ kind, mailing, site, reader }));
  }

  function listAllWaiting(now: number): Waiting[] {
    const since = now - FRESH_SECONDS;
    const waiting = KINDS.flatMap((kind) =>
      listMailings(db, kind.name, kind.setting, since).flatMap((mailing) => waitingFor(mailing, kind, now)),
    ).sort((one, other) => one.mailing.id - other.mailing.id);
    if (waiting.length === 0) failures.clear();
    const failed = (one: Waiting) => failures.get(keyOf(one)) ?? 0;
    return waiting.sort((one, other) => failed(one) - failed(other));
  }

  async function sendOne(one: Waiting, letter: Letter, voice: Voice, now: number): Promise<Delivery> {
    const { mailing, site, reader } = one;
    const secret = unsubscribeSecret(mailKey(db, random), { siteId: site.id, userId: reader.id });
    const unsubscribe = `${config.baseUrl}/unsubscribe/${secret}`;
    // The same for each try: where a mail went out but could not be written down, mail programs do not show the second one.
    const messageId = `<${mailing.kind}.${mailing.id}.${mailing.at}.${reader.id}@${new URL(config.baseUrl).hostname}>`;
    const footer = footerOf(site.domain, unsubscribe, voice);
    const mail = { ...written(letter, footer, voice), to: reader.email, messageId, unsubscribe };
    const outcome = await post.deliver(mail);
    if (outcome === 'sent' || outcome === 'refused') noteMailed(db, mailing.id, reader.id, outcome === 'sent', now);
    else failures.set(keyOf(one), (failures.get(keyOf(one)) ?? 0) + 1);
    return outcome;
  }

  return {
    async send(now: number, aliveSince: number): Promise<void> {
      /** By mailing and language, so that each is made once for all who read it. */
      const letters = new Map<string, Letter | undefined>();
      let [tries, sent] = [0, 0];
      for (const one of listAllWaiting(now)) {
        if (stop.aborted || tries === MOST_A_RUN) break;
        const { kind, mailing, site, reader } = one;
        const voice = voiceIn(reader.language ?? 'en');
        const key = `${mailing.id} ${voice.language}`;
        if (!letters.has(key)) {
          letters.set(key, await kind.letter(deps, site, { ...mailing, now, aliveSince }, voice));
        }
        const letter = letters.get(key);
        if (!letter) continue;
        const outcome = await sendOne(one, letter, voice, now);
        if (outcome === 'down') break;
        tries++;
        if (outcome === 'sent') sent++;
      }
      if (sent > 0) log('mails sent', { mails: sent });
    },
  };
}
