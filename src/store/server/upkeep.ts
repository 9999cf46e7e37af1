// Upkeep notes are short notes of daybook about its own work, such as the last backup. The server and some commands
// write them into the database file. Commands, the metrics and the check of the server read them.
//
// Invariant: there is at most one note of each name.
//
// Example: after a nightly backup, the note `backup` has the time, `fine: true`, and what was done in words.

import type { Random } from '../../lib/secrets.ts';
import type { Db } from '../db.ts';

/**
 * The names of notes in the database file. For example, a command finds the server's option --base-url in the note
 * `base-url`.
 */
export type UpkeepName =
  /** `seal`: whether all past days could be sealed. */
  | 'seal'
  /** `backup`: when the last backup was made. `restore`: when the last test restored a backup. */
  | 'backup'
  | 'restore'
  /** `parquet`: when the Parquet files were last brought up to date. */
  | 'parquet'
  /**
   * `check`: when an operator last ran a recount of all sealed days. `recount`: when the nightly job last ran a recount
   * of some of them.
   */
  | 'check'
  | 'recount'
  | 'running'
  /**
   * `forgetting`: what the nightly search for removed salts found. No file should contain a removed salt. `proof`: the
   * result of the last `daybook prove-forgetting`.
   */
  | 'forgetting'
  | 'proof'
  /**
   * `visitors`: whether the IP addresses of visitors reach the server. A proxy in front of the server must pass them
   * on.
   */
  | 'visitors'
  /** Options of the server that commands need: its URL, its mail server and its webhook. */
  | 'base-url'
  | 'mail-host'
  | 'webhook-host'
  /** `webhook`: whether the webhook, a URL of the operator, accepted the last message. */
  | 'webhook'
  /**
   * `server`: a name by which a server recognises its own backups. `copied`: in a nightly backup, when the server made
   * that backup.
   */
  | 'server'
  | 'copied'
  /** `moving`: the engine (the database file or a cluster) to which the hits are being moved. */
  | 'moving'
  /**
   * `behind`: the URLs of cluster servers that have not received some rows of the primary. Commands query these servers
   * only if no other server can answer.
   */
  | 'behind'
  /**
   * `sealed`: a row number of the cluster. All rows of the primary up to this number were sent and sealed. They must
   * not be sent again.
   */
  | 'sealed';

export type Noted = { at: number; fine: boolean; words: string };

/** Stores a note. An earlier note with this name is replaced. */
export function noteUpkeep(db: Db, name: UpkeepName, { at, fine, words }: Noted): void {
  db.write(() =>
    db.run('REPLACE INTO upkeep (name, at, fine, words) VALUES (?, ?, ?, ?)', name, at, Number(fine), words),
  );
}

export function findUpkeep(db: Db, name: UpkeepName): Noted | undefined {
  const row = db.one<Omit<Noted, 'fine'> & { fine: number }>('SELECT at, fine, words FROM upkeep WHERE name = ?', name);
  return row && { ...row, fine: row.fine === 1 };
}

export const removeUpkeep = (db: Db, name: UpkeepName): void => {
  db.write(() => db.run('DELETE FROM upkeep WHERE name = ?', name));
};

/**
 * Finds the random name by which this server recognises its own backups. The first call makes the name. Each backup
 * contains the name, therefore a restored server has it too.
 */
export const nameServer = (db: Db, random: Random, now: number): string =>
  db.write(() => {
    const known = findUpkeep(db, 'server')?.words;
    const name = known ?? random(4).toString('hex');
    if (known === undefined) noteUpkeep(db, 'server', { at: now, fine: true, words: name });
    return name;
  });
