// A destination is where the messages about a site go, in addition to e-mails, such as a channel in Slack. The API
// calls it a channel. In the code, the word channel means how a visit arrived (classify/channel.ts).
//
// Invariant: only `findSettings` returns the settings of a destination, which are secret. No other function, answer or
// backup has them. A destination from a restored backup has no settings until a manager enters them again.
//
// Example: `findSettings(db, 7)` returns `{ url: 'https://hooks.slack.com/services/…' }`. The code that delivers or
// tests messages calls this function. `listDestinations` returns only the place: hooks.slack.com.
import { type Coded, coded } from '../../lang/coded.ts';
import type { Language } from '../../lang/languages.ts';
import { Problem } from '../../lib/errors.ts';
import { readCoded, writeCoded } from '../../lib/http/fault.ts';
import type { Db } from '../db.ts';

export const DESTINATION_KINDS = [
  'slack',
  'discord',
  'teams',
  'mattermost',
  'telegram',
  'ntfy',
  'gotify',
  'matrix',
  'webhook',
] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/**
 * What a destination can get: reports, alerts, reached goals, and the effects of notes (how figures changed after a
 * note).
 */
export const MESSAGE_KINDS = ['weekly', 'monthly', 'traffic', 'silence', 'custom', 'goals', 'effects'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

export type Destination = {
  id: number;
  kind: DestinationKind;
  name: string;
  /** The part of the settings that people see, such as hooks.slack.com. */
  place: string;
  messages: MessageKind[];
  language: Language;
  paused: boolean;
  created_at: number;
  /** When the destination last accepted a message. */
  sent_at: number | null;
  failed_at: number | null;
  /** Why the last message was not accepted, or null if it was accepted. */
  failure: Coded | null;
  /** After a restore this is false, because backups have no secrets. */
  has_settings: boolean;
};

type Row = Omit<Destination, 'messages' | 'paused' | 'failure' | 'has_settings'> & {
  messages: string;
  paused: 0 | 1;
  failure: string | null;
  has_settings: 0 | 1;
};

const DESTINATION = `
  SELECT id, kind, name, place, messages, language, paused, created_at, sent_at, failed_at, failure,
    EXISTS (SELECT 1 FROM destination_secret WHERE destination_id = destination.id) AS has_settings
  FROM destination`;

const readRow = ({ messages, paused, failure, has_settings, ...row }: Row): Destination => ({
  ...row,
  messages: JSON.parse(messages),
  paused: paused === 1,
  failure: failure === null ? null : readCoded(failure),
  has_settings: has_settings === 1,
});

export function findDestination(db: Db, siteId: number, id: number): Destination | undefined {
  const row = db.one<Row>(`${DESTINATION} WHERE site_id = ? AND id = ?`, siteId, id);
  return row && readRow(row);
}

export const listDestinations = (db: Db, siteId: number): Destination[] =>
  db.all<Row>(`${DESTINATION} WHERE site_id = ? ORDER BY name, id`, siteId).map(readRow);

/** Lists the destinations of all sites, with the domain of each site. */
export const listAllDestinations = (db: Db): (Destination & { site: string })[] =>
  db
    .all<{ id: number; domain: string }>('SELECT id, domain FROM site ORDER BY domain')
    .flatMap(({ id, domain }) => listDestinations(db, id).map((one) => ({ ...one, site: domain })));

/** The settings of a destination. Their names and values depend on the kind (src/destinations/settings.ts). */
export type StoredSettings = Readonly<Record<string, string | undefined>>;

export function findSettings(db: Db, id: number): StoredSettings | undefined {
  const sql = 'SELECT settings FROM destination_secret WHERE destination_id = ?';
  const row = db.one<{ settings: string }>(sql, id);
  return row && JSON.parse(row.settings);
}

const DESTINATIONS_PER_SITE = 10;

export function assertRoomForDestination(db: Db, siteId: number): void {
  if (listDestinations(db, siteId).length < DESTINATIONS_PER_SITE) return;
  throw new Problem('limit_reached', { message: coded('most_destinations', { most: DESTINATIONS_PER_SITE }) });
}

type Chosen = Pick<Destination, 'name' | 'messages' | 'language' | 'paused'>;
type NewDestination = Chosen & { kind: DestinationKind; now: number };
export type NewSettings = { place: string; settings: StoredSettings };

export function addDestination(db: Db, siteId: number, chosen: NewDestination, settings: NewSettings): Destination {
  const { kind, name, messages, language, paused, now } = chosen;
  const { id } = db.run(
    `INSERT INTO destination (site_id, kind, name, place, messages, language, paused, since, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[siteId, kind, name, settings.place, JSON.stringify(messages), language, Number(paused), now, now],
  );
  changeSettings(db, id, settings);
  return findDestination(db, siteId, id) as Destination;
}

/** Changes a destination. After a pause, the destination gets no message about the time of the pause. */
export function changeDestination(
  db: Db,
  siteId: number,
  id: number,
  { name, messages, language, paused, now }: Chosen & { now: number },
): Destination {
  db.run(
    `UPDATE destination SET name = ?, messages = ?, language = ?, since = CASE WHEN paused > ? THEN ? ELSE since END,
       paused = ? WHERE site_id = ? AND id = ?`,
    ...[name, JSON.stringify(messages), language, Number(paused), now, Number(paused), siteId, id],
  );
  return findDestination(db, siteId, id) as Destination;
}

/** Replaces all settings. A failure of the old settings is deleted, because it no longer matters. */
export function changeSettings(db: Db, id: number, { place, settings }: NewSettings): void {
  db.run('UPDATE destination SET place = ?, failed_at = NULL, failure = NULL WHERE id = ?', place, id);
  db.run('REPLACE INTO destination_secret (destination_id, settings) VALUES (?, ?)', id, JSON.stringify(settings));
}

/**
 * Counts the destinations of all sites, without paused ones. `failing` is how many of them fail, and `incomplete` is
 * how many have had no settings since a restore.
 */
export const countDestinations = (db: Db): { all: number; failing: number; incomplete: number } =>
  db.one(`SELECT count(*) AS 'all', count(failure) AS failing,
    count(*) FILTER (WHERE id NOT IN (SELECT destination_id FROM destination_secret)) AS incomplete
    FROM destination WHERE paused = 0`) ?? { all: 0, failing: 0, incomplete: 0 };

export const removeDestination = (db: Db, siteId: number, id: number): void => {
  db.run('DELETE FROM destination WHERE site_id = ? AND id = ?', siteId, id);
};

export function noteAccepted(db: Db, id: number, now: number): void {
  const sql = 'UPDATE destination SET sent_at = ?, failed_at = NULL, failure = NULL WHERE id = ?';
  db.write(() => db.run(sql, now, id));
}

export function noteFailure(db: Db, id: number, failure: Coded, now: number): void {
  const sql = 'UPDATE destination SET failed_at = ?, failure = ? WHERE id = ?';
  db.write(() => db.run(sql, now, writeCoded(failure), id));
}
