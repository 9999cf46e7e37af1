// A kind of mail about sites says when it is due, and writes its letter. kinds.ts lists all kinds.
//
// Invariant: a kind has one mailing for a site and moment. So a report that was due goes out once, also after a new start.
//
// Example: the weekly report is due at Monday 07:00. `FRESH_SECONDS` is two days, so it still goes out on Tuesday, and never on Thursday.
// `siteMails` (src/jobs/mail.ts) looks at all kinds each minute.

import type { Config } from '../config.ts';
import type { Queries } from '../engine/engine.ts';
import { DAY } from '../lib/time.ts';
import type { Ask } from '../stats/ask.ts';
import type { Db } from '../store/db.ts';
import type { MailedSite, Mailing } from '../store/mail/mailings.ts';
import type { Switch } from '../store/sites/sites.ts';
import type { Letter } from './letter.ts';
import type { Voice } from './voice.ts';

/** The sources of a letter: settings, the file and the engine. */
export type Sources = {
  config: Config;
  db: Db;
  ask: Ask;
  queries: Pick<Queries, 'findLastHit' | 'listDrops' | 'suggestExclusions'>;
};

/** The greatest age of news that are mailed. After a weekend without a server, Monday's report still goes out. */
export const FRESH_SECONDS = 2 * DAY;

/** One look at a site, to find out whether a mail is due. */
type Look = {
  round: number;
  now: number;
  /** The start of the time in which the server has run without a break. */
  aliveSince: number;
  /** The latest mailing of this kind and site. */
  last: Mailing | undefined;
};

/** News about a site at a moment, or the end of the latest news, such as of a silence. */
type Due = { at: number } | 'over' | undefined;

/** The occasion of a letter. A preview by a command does not know `aliveSince`. */
export type Occasion = Pick<Mailing, 'at' | 'createdAt' | 'endedAt'> & { now: number; aliveSince: number | undefined };

/** A kind for which sites are looked at, such as a silence. */
export type Watched = {
  /** Gives the round of a moment, such as the current hour. A site is looked at once a round; undefined means no look now. */
  round(now: number, site: MailedSite): number | undefined;
  due(sources: Sources, site: MailedSite, look: Look): Promise<Due>;
  /** Gives the moment of a preview. */
  preview(now: number, site: MailedSite): number;
  /** The reason why a preview may be empty. */
  nothing?: string;
};

/** A kind that follows another: when a silence is over, its readers get the mail "return". */
type Sequel = { follows: string };

/** A kind of mail about sites. */
export type MailKind = {
  /** The name of the kind in the table mailing. */
  name: string;
  /** The setting of a site that turns this kind on. */
  setting: Switch;
  /** Writes the letter. Undefined means that there is nothing to tell, or nothing any more. */
  letter(sources: Sources, site: MailedSite, occasion: Occasion, voice: Voice): Promise<Letter | undefined>;
} & (Watched | Sequel);
