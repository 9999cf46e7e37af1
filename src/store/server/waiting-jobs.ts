import type { Db } from '../db.ts';

/** The jobs of the server, in the order in which they start. */
const JOBS = [
  'salts',
  'sessions',
  'removals',
  'exclusions',
  'sealing',
  'visitor codes',
  'receipts',
  'changes',
  'recount',
  'backup',
  'forgetting',
  'parquet',
  'mails',
] as const;
export type Job = (typeof JOBS)[number];

/**
 * A job that has failed, waits, or still runs after a long time. `since` is when the first run after the job's last
 * success began.
 */
export type WaitingJob = { job: Job; since: number; reason: string };

const writeName = (job: Job): string => `job ${job}`;

export const listWaitingJobs = (db: Db): WaitingJob[] =>
  JOBS.flatMap((job) => {
    const found = db.one<{ since: number; reason: string }>(
      'SELECT at AS since, words AS reason FROM upkeep WHERE name = ?',
      writeName(job),
    );
    return found ? [{ job, ...found }] : [];
  });

/** Stores that a job waits. If the job is already waiting, `since` stays and only the reason changes. */
export const noteWaitingJob = (db: Db, { job, since, reason }: WaitingJob): void => {
  const sql = `INSERT INTO upkeep (name, at, fine, words) VALUES (?, ?, 0, ?) ON CONFLICT DO UPDATE SET words = excluded.words`;
  db.write(() => db.run(sql, writeName(job), since, reason));
};

export const removeWaitingJob = (db: Db, job: Job): void => {
  db.write(() => db.run('DELETE FROM upkeep WHERE name = ?', writeName(job)));
};
