import type { Config } from '../config.ts';
import type { Queries } from '../engine/engine.ts';
import { DAY } from '../lib/time.ts';
import type { Ask } from '../stats/ask.ts';
import type { Db } from '../store/db.ts';
import type { MailedSite, Mailing } from '../store/mail/mailings.ts';
import type { Switch } from '../store/sites/sites.ts';
import type { Letter } from './letter.ts';
import type { Voice } from './voice.ts';

/** Where the contents of mails come from. */
export type Sources = {
  config: Config;
  db: Db;
  ask: Ask;
  queries: Pick<Queries, 'findLastHit' | 'listDrops' | 'suggestExclusions'>;
};

/** Older news are not mailed any more. After a weekend without a server, Monday's report still is. */
export const FRESH_SECONDS = 2 * DAY;

/** One look at a site. */
type Look = {
  round: number;
  now: number;
  /** From when on the server has run without a break. */
  aliveSince: number;
  /** What was written down last for this kind and site. */
  last: Mailing | undefined;
};

/** News about a site, with the moment that they are about; or that what was told last is over. */
type Due = { at: number } | 'over' | undefined;

/** For what a letter is written; a command that only shows one does not know since when the server runs. */
export type Occasion = Pick<Mailing, 'at' | 'createdAt' | 'endedAt'> & { now: number; aliveSince: number | undefined };

/** A kind that is looked for by itself. */
export type Watched = {
  /** A site is looked at once in each round; undefined where it is not the time for a look. */
  round(now: number, site: MailedSite): number | undefined;
  due(sources: Sources, site: MailedSite, look: Look): Promise<Due>;
  /** The moment that a preview is about. */
  preview(now: number, site: MailedSite): number;
  /** Why a preview may be empty. */
  nothing?: string;
};

/** A kind that comes when one of another kind is over, for those who got that. */
type Sequel = { follows: string };

/** A kind of mail about sites. */
export type Kind = {
  /** As it stands in the table mailing. */
  name: string;
  /** The setting of a site that turns it on. */
  setting: Switch;
  /** Undefined where there is nothing to tell, or nothing any more. */
  letter(sources: Sources, site: MailedSite, occasion: Occasion, voice: Voice): Promise<Letter | undefined>;
} & (Watched | Sequel);
