// A kind of mail about sites says when a mail is due, and writes its letter. kinds.ts lists all kinds.
//
// Invariant: a kind has at most one mailing for a site and moment. So a due report is sent once, also after a restart.
//
// Example: the weekly report is due on Monday at 07:00. `FRESH_SECONDS` is two days. So the report may still be sent on
// Tuesday, but not on Thursday. `siteMails` (src/jobs/mail.ts) checks all kinds each minute.

import type { Config } from '../config.ts';
import type { Queries } from '../engine/engine.ts';
import { DAY } from '../lib/time.ts';
import type { Ask } from '../stats/ask.ts';
import type { Db } from '../store/db.ts';
import type { MailedSite, Mailing } from '../store/mail/mailings.ts';
import type { Switch } from '../store/sites/sites.ts';
import type { Letter } from './letter.ts';
import type { Voice } from './voice.ts';

export type Sources = {
  config: Config;
  db: Db;
  ask: Ask;
  queries: Pick<Queries, 'findLastHit' | 'listDrops' | 'suggestExclusions'>;
};

/** News that are older than this are not mailed. With two days, Monday's report is still sent if the server starts again on Tuesday. */
export const FRESH_SECONDS = 2 * DAY;

/** What a kind of mail, such as the weekly report, knows when it decides whether a mail about a site is due. */
type Look = {
  round: number;
  now: number;
  /** The server has run without a break since this instant. */
  aliveSince: number;
  last: Mailing | undefined;
};

/**
 * The answer to the question whether news are due. `at` is the moment of the news. 'over' means that the latest news
 * have ended, for example that visitors are back after a silence.
 */
type Due = { at: number } | 'over' | undefined;

/**
 * The moment that a letter is about. The server has run without a break since `aliveSince`. If a command makes a
 * preview, this instant is unknown.
 */
export type Occasion = Pick<Mailing, 'at' | 'createdAt' | 'endedAt'> & { now: number; aliveSince: number | undefined };

/**
 * A kind of mail that looks for news by itself. The job "mails" checks regularly whether a site has such news, for
 * example a silence.
 */
export type Watched = {
  /**
   * Returns the number of the round that a moment belongs to, such as the current hour. A site is checked once in a round. Undefined means
   * no check now.
   */
  round(now: number, site: MailedSite): number | undefined;
  due(sources: Sources, site: MailedSite, look: Look): Promise<Due>;
  /** The moment that a preview is about. The command `daybook mail` shows previews. */
  preview(now: number, site: MailedSite): number;
  /** The sentence of the command `daybook mail` if there is nothing to preview. */
  nothing?: string;
};

/** A kind that follows another kind. Example: when a silence is over, the recipients get the mail "return". */
type Sequel = { follows: string };

export type MailKind = {
  /** The name of the kind in the table mailing. */
  name: string;
  /** The setting of a site that turns this kind on. */
  setting: Switch;
  /** Writes the letter. Undefined if there are no news, or if the news are over. */
  letter(sources: Sources, site: MailedSite, occasion: Occasion, voice: Voice): Promise<Letter | undefined>;
} & (Watched | Sequel);
