// The types for kinds of mails about sites, such as the weekly report. A kind decides when a mail is due, and writes
// the mail. kinds.ts lists all kinds.
//
// Invariant: a kind has at most one mailing (one report or alert) for a site and moment. So a due report is sent once,
// even after a restart.
//
// Example: the weekly report is due on Monday at 07:00. `FRESH_SECONDS` is two days. So the report may still be sent on
// Tuesday, but not on Thursday. `siteMails` (src/jobs/mail.ts) checks all kinds each minute.

import type { Config } from '../config.ts';
import type { Imports, Queries } from '../engine/engine.ts';
import type { Log } from '../lib/log.ts';
import { DAY } from '../lib/time.ts';
import type { Ask } from '../stats/ask.ts';
import type { Db } from '../store/db.ts';
import type { MailedSite, Mailing } from '../store/mail/mailings.ts';
import type { MessageKind } from '../store/sites/destinations.ts';
import type { Switch } from '../store/sites/sites.ts';
import type { Letter } from './letter.ts';
import type { Voice } from './voice.ts';

export type Sources = {
  config: Config;
  db: Db;
  ask: Ask;
  queries: Pick<
    Queries,
    | 'findFirstHits'
    | 'findLastHit'
    | 'listDayStatus'
    | 'listDrops'
    | 'listVisitedDays'
    | 'measure'
    | 'suggestExclusions'
  >;
  imports: Pick<Imports, 'listDays'>;
  log: Log;
};

/**
 * A report or an alert that is older than this, in seconds, is no longer sent. With two days, Monday's report is still
 * sent if the server was down until Tuesday.
 */
export const FRESH_SECONDS = 2 * DAY;

/** The values by which a kind decides whether a mail about a site is due. `last` is the last mailing of this kind. */
type Look = {
  round: number;
  now: number;
  /** The instant since which the server has run and accepted hits without a break. */
  aliveSince: number;
  last: Mailing | undefined;
};

/**
 * Says whether a report or an alert is due. `at` is the moment that the report or alert is about, such as the last hit
 * before a silence. `details` is stored with the mailing. 'over' means that the last alert has ended, for example
 * because visitors are back.
 */
type Due = { at: number; details?: string } | 'over' | undefined;

/**
 * What a letter is written about. `at` is the moment of the report or alert, such as the last hit before a silence. The
 * server has run without a break since `aliveSince`, which is undefined in a preview.
 */
export type Occasion = Pick<Mailing, 'at' | 'createdAt' | 'endedAt'> &
  Partial<Pick<Mailing, 'details'>> & { now: number; aliveSince: number | undefined };

/**
 * A kind of mail that looks for something to report, such as a silence. The job "mails" calls `due` for each site, each
 * time that `round` returns a new number.
 */
export type Watched = {
  /**
   * Returns a number for the moment, such as the number of the hour. A site is checked again only when this number has
   * changed. Returns undefined if no check is needed now.
   */
  round(now: number, site: MailedSite): number | undefined;
  due(sources: Sources, site: MailedSite, look: Look): Promise<Due>;
  /** Returns the moment of the report or alert that `daybook mail preview` shows. */
  preview(now: number, site: MailedSite): number;
  /** The reason that `daybook mail preview` prints if there is no letter to show. */
  nothing?: string;
};

/**
 * A kind of mail that says that an alert is over. Example: "return" follows "silence", and says that visitors are back.
 */
type Sequel = { follows: string };

export type MailKind = {
  /** The name of the kind in the table `mailing`. */
  name: string;
  /**
   * The setting of a site that turns the mails of this kind on. The setting is undefined if only destinations get this
   * kind.
   */
  setting: Switch | undefined;
  /**
   * The name under which destinations list this kind. A destination, such as a channel in Slack, gets only the kinds
   * that it lists.
   */
  message: MessageKind;
  /**
   * Writes the letter. Returns undefined if there is nothing to report, or if the reason for the mail no longer exists.
   */
  letter(sources: Sources, site: MailedSite, occasion: Occasion, voice: Voice): Promise<Letter | undefined>;
} & (Watched | Sequel);
