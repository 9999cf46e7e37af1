// The delivery of mails about sites. A mailing is a report or an alert about a site, such as the weekly report of 5
// January. Each recipient of the site gets one mail for each mailing.
//
// A mailing is stored in the database file before its first mail is sent. Each sent mail is noted there too. So each
// recipient gets the mail once, even after failures and restarts. Only a full disk may cause a second mail, because
// nothing can be noted. Example: 2 of 3 recipients have the mail. The next call of `send` sends the mail to the third.
//
// The job "mails" calls `send` every minute (src/jobs/mail.ts). One call tries to send at most 50 mails.

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
import { makeMailKey, writeUnsubscribeSecret } from '../store/mail/unsubscribed.ts';
import { findStanding, isBlocked } from '../store/people/accounts.ts';
import { makeFooter } from './footer.ts';
import { writeLetter } from './html.ts';
import { FRESH_SECONDS, type MailKind, type Sources } from './kind.ts';
import { KINDS } from './kinds.ts';
import type { Letter } from './letter.ts';
import type { Delivery, Post } from './post.ts';
import { tryLetter } from './try-letter.ts';
import { type Voice, voiceIn } from './voice.ts';

/** One call of `send` tries at most this many mails. A slow mail server must not delay other jobs. */
const MOST_A_RUN = 50;

type Deps = Sources & { random: Random; post: Post; stop: AbortSignal };

/** A recipient that has not got the mail of this mailing yet. */
type Waiting = { kind: MailKind; mailing: Mailing; site: MailedSite; reader: Reader };

export function delivery(deps: Deps) {
  const { config, db, random, log, post, stop } = deps;
  /**
   * The number of failed tries for each mailing and recipient. Mails with fewer failures are sent first. So one failing
   * e-mail address does not delay other recipients.
   */
  const failures = new Map<string, number>();

  function listWaitingFor(mailing: Mailing, kind: MailKind, now: number): Waiting[] {
    const site = findMailedSite(db, mailing.siteId);
    if (!site || isBlocked(findStanding(db, site.accountId, now))) return [];
    const follows = 'follows' in kind ? kind.follows : undefined;
    return listWaiting(db, mailing, follows).map((reader) => ({ kind, mailing, site, reader }));
  }

  function listAllWaiting(now: number): Waiting[] {
    const since = now - FRESH_SECONDS;
    const listOf = ({ name, setting }: MailKind) =>
      setting === undefined ? [] : listMailings(db, name, setting, since);
    const waiting = KINDS.flatMap((kind) => listOf(kind).flatMap((mailing) => listWaitingFor(mailing, kind, now))).sort(
      (one, other) => one.mailing.id - other.mailing.id,
    );
    if (waiting.length === 0) failures.clear();
    const failed = (one: Waiting) => failures.get(findKey(one)) ?? 0;
    return waiting.sort((one, other) => failed(one) - failed(other));
  }

  async function sendOne(one: Waiting, letter: Letter, voice: Voice, now: number): Promise<Delivery> {
    const { mailing, site, reader } = one;
    const secret = writeUnsubscribeSecret(makeMailKey(db, random), { siteId: site.id, userId: reader.id });
    const unsubscribe = `${config.baseUrl}/unsubscribe/${secret}`;
    // If the disk is full, a mail may be sent without being noted as sent. A minute later, the mail is sent again. Both
    // copies have the same id, so mail programs hide the second one.
    const messageId = `<${mailing.kind}.${mailing.id}.${mailing.at}.${reader.id}@${new URL(config.baseUrl).hostname}>`;
    const footer = makeFooter(site.domain, unsubscribe, voice);
    const mail = { ...writeLetter(letter, footer, voice), to: reader.email, messageId, unsubscribe };
    const outcome = await post.deliver(mail);
    if (outcome === 'sent' || outcome === 'refused') noteMailed(db, mailing.id, reader.id, outcome === 'sent', now);
    else failures.set(findKey(one), (failures.get(findKey(one)) ?? 0) + 1);
    return outcome;
  }

  return {
    async send(now: number, aliveSince: number): Promise<void> {
      /**
       * The letters by mailing and language. Recipients with the same language share a letter, so that each letter is
       * computed only once.
       */
      const letters = new Map<string, Letter | undefined>();
      let [tries, sent] = [0, 0];
      for (const one of listAllWaiting(now)) {
        if (stop.aborted || tries === MOST_A_RUN) break;
        const { kind, mailing, site, reader } = one;
        const voice = voiceIn(reader.language ?? 'en');
        const key = `${mailing.id} ${voice.language}`;
        if (!letters.has(key)) {
          letters.set(key, await tryLetter(deps, kind, site, { ...mailing, now, aliveSince }, voice));
        }
        const letter = letters.get(key);
        if (!letter) continue;
        const outcome = await sendOne(one, letter, voice, now);
        if (outcome === 'down') break;
        tries++;
        if (outcome === 'sent') sent++;
      }
      if (sent > 0) log('e-mails sent', { mails: sent });
    },
  };
}

const findKey = ({ mailing, reader }: Waiting): string => `${mailing.id} ${reader.id}`;
