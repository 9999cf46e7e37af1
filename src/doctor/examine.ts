// The checks of `daybook doctor`. They find problems that harm a server over time, such as a full disk or a missing
// backup.
//
// A check changes nothing. Each check returns one finding as codes: whether all is well, what was found, and the remedy
// (src/lang/codes/findings.ts). A check that fails, or hangs for 6 s, is reported as a finding too.
//
// Example: the disk has 12 GB free and fills by 0.4 GB a day. The finding says "30 days left", which needs attention.
// The command and the API (src/api/server.ts) ask for findings.

import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findBuildTime } from '../classify/country.ts';
import type { Config } from '../config.ts';
import { version } from '../embedded/version.ts';
import { DAY_FULL } from '../engine/activity.ts';
import type { Queries, Upkeep } from '../engine/engine.ts';
import { type Code, type Coded, coded } from '../lang/coded.ts';
import { readCoded } from '../lib/http/fault.ts';
import { type Clock, DAY, formatDay, iso, MINUTE, seconds } from '../lib/time.ts';
import { greet } from '../mail/greet.ts';
import { listCollectors } from '../store/cluster/collectors.ts';
import type { Db } from '../store/db.ts';
import { BIRTHDAY, computeLeap, findTrustedDay } from '../store/server/clock-trust.ts';
import { listCollectorSearches } from '../store/server/collector-searches.ts';
import { findUpkeep, type Noted, type UpkeepName } from '../store/server/upkeep.ts';
import { type Job, listWaitingJobs } from '../store/server/waiting-jobs.ts';
import { countDestinations } from '../store/sites/destinations.ts';
import { listSiteDomains } from '../store/sites/sites.ts';
import { checkCollectors } from './collectors.ts';
import { bad, type CheckResult, fine, type Result, tell } from './result.ts';
import { checkServers } from './servers.ts';

export type Finding = CheckResult & { name: string };

export type Patient = {
  config: Config;
  db: Db;
  path: string;
  clock: Clock;
  queries: Pick<Queries, 'measureGrowth' | 'findLastHit' | 'listDroppedDays'>;
  upkeep: Pick<Upkeep, 'listSilentServers' | 'examineServers'>;
  /**
   * Connects to the mail server and returns the fault. A running server passes a function that connects at most once a
   * minute.
   */
  greeting?: typeof greet;
  /**
   * Says whether a proxy seems to hide the IP addresses of visitors. Returns undefined if nobody came in the last hour.
   * Only a running server passes this function. Without a result, the check reads the last result from the database
   * file.
   */
  arrivals?: () => Omit<Noted, 'at'> | undefined;
};

/**
 * The last backup is reported if it failed, or if it is older than this number of days. With two days, one missing
 * nightly backup is not reported yet, for example because the server was off.
 */
const COPY_DAYS = 2;
/** How many days the findings about dropped hits cover. */
const TOLD_DAYS = 7;
const COUNTRY_DAYS = 400;
const LEAST_FREE = 500e6;
const LEAST_DAYS_LEFT = 60;

export const examine = (patient: Patient): Promise<Finding[]> =>
  Promise.all(
    Object.entries(CHECKS).map(async ([name, check]) => ({ name, ...tell(await runCheck(() => check(patient))) })),
  );

function fromNoted({ fine: isFine, at, words }: Noted, remedy: Coded): Result {
  const { code, values } = readCoded(words);
  const says = { code, values: { ...values, at: iso(at) } };
  return isFine ? fine(says) : bad(says, remedy);
}

function noted(name: UpkeepName, nothing: Coded, remedy: Coded): (patient: Patient) => Result {
  return ({ db }) => {
    const last = findUpkeep(db, name);
    return last ? fromNoted(last, remedy) : fine(nothing);
  };
}

async function time({ db, queries, clock }: Patient): Promise<Result> {
  const [now, last] = [seconds(clock), await queries.findLastHit()];
  const [time, remedy] = [iso(now), coded('set_clock')];
  if (now < BIRTHDAY) return bad(coded('clock_before_daybook', { time }), remedy);
  const days = computeLeap(db, Math.floor(now / DAY));
  if (days > 0) {
    const seen = formatDay((findTrustedDay(db) ?? 0) * DAY);
    return bad(coded('clock_leapt', { time, days, seen }), coded('set_or_trust_clock'));
  }
  if (last > now + MINUTE) return bad(coded('clock_before_hit', { time, last: iso(last) }), remedy);
  return fine(last > 0 ? coded('clock', { time, last: iso(last) }) : coded('clock_alone', { time }));
}

function visitors(patient: Patient): Result {
  const now = patient.arrivals?.();
  const remedy = coded('trust_proxy');
  if (now) return fromNoted({ ...now, at: seconds(patient.clock) }, remedy);
  const nobody = listCollectors(patient.db).length === 0 ? 'no_visitors_yet' : 'visitors_elsewhere';
  return noted('visitors', coded(nobody), remedy)(patient);
}

async function mail({ config: { smtpUrl }, db, greeting = greet }: Patient): Promise<Result> {
  if (smtpUrl === undefined) {
    const host = findUpkeep(db, 'mail-host')?.words;
    if (host) return fine(coded('mail_elsewhere', { host }));
    return fine(coded('mail_off'));
  }
  const trouble = await greeting(smtpUrl);
  const host = new URL(smtpUrl).host;
  return trouble
    ? bad(coded('mail_trouble', { host, trouble: [trouble] }), coded('repair_mail'))
    : fine(coded('mail_answers', { host }));
}

function webhook({ config: { webhookUrl }, db }: Patient): Result {
  const host = webhookUrl === undefined ? findUpkeep(db, 'webhook-host')?.words : new URL(webhookUrl).host;
  if (!host) return fine(coded('webhook_off'));
  const last = findUpkeep(db, 'webhook');
  if (!last) return fine(coded('webhook_idle', { host }));
  return fromNoted(last, coded('repair_webhook'));
}

/**
 * Reports notification channels. A wrong URL is a problem of the site's users, so it needs no attention here. Backups
 * do not contain the settings of channels. So after a restore, channels lack their settings, and users must enter these
 * settings again.
 */
function channels({ db }: Patient): Result {
  const { all, failing, incomplete } = countDestinations(db);
  if (incomplete > 0) return bad(coded('channels_incomplete', { channels: incomplete }), coded('repair_channels'));
  return fine(all === 0 ? coded('channels_none') : coded('channels_failing', { channels: all, failing }));
}

const measureFile = async (file: string): Promise<number> => (await stat(file)).size;

async function disk({ config, queries, path, clock }: Patient): Promise<Result> {
  const used = (await measureFile(path)) + (await measureFile(`${path}-wal`).catch(() => 0));
  const { bavail, bsize } = await statfs(dirname(path));
  const free = bavail * bsize;
  const daily = (await queries.measureGrowth(Math.floor(seconds(clock) / DAY))) * (1 + config.keepBackups);
  const days = daily > 0 ? Math.floor(free / daily) : Number.POSITIVE_INFINITY;
  const sizes = { free, used, daily };
  const says = days > 3_650 ? coded('disk_years', sizes) : coded('disk', { ...sizes, days });
  const isTight = free < Math.max(LEAST_FREE, used) || days < LEAST_DAYS_LEFT;
  return isTight ? bad(says, coded('make_room')) : fine(says);
}

const daysAgo = (clock: Clock): number => Math.floor(seconds(clock) / DAY) - TOLD_DAYS;

/** Finds days on which a site had more hits than --day-capacity allows. */
async function capacity({ db, queries, clock }: Patient): Promise<Result> {
  const full = await queries.listDroppedDays(DAY_FULL, daysAgo(clock));
  const [last] = full.slice(-1);
  if (!last) return fine(coded('no_full_day'));
  const domain = listSiteDomains(db).find(({ id }) => id === last.siteId)?.domain;
  const says = { days: full.length, hits: last.hits, date: formatDay(last.day * DAY) };
  return bad(
    domain ? coded('full_days', { ...says, domain }) : coded('full_days_deleted', says),
    coded('look_at_hits'),
  );
}

/**
 * Says how many hits were dropped because --exclude-addresses contains their IP address. A very high number may show a
 * mistake, such as the IP address of a proxy in this option. Then daybook may count no visitors at all.
 */
async function excluded({ queries, clock }: Patient): Promise<Result> {
  const days = await queries.listDroppedDays('excluded', daysAgo(clock));
  const hits = days.reduce((sum, day) => sum + day.hits, 0);
  if (hits === 0) return fine(coded('none_excluded'));
  return fine(coded('hits_excluded', { count: hits, days: TOLD_DAYS }));
}

function backup({ config, db, clock }: Patient): Result {
  const last = findUpkeep(db, 'backup');
  const remedy = coded('check_backups');
  if (last) {
    const isOld = seconds(clock) - last.at > COPY_DAYS * DAY;
    return fromNoted({ ...last, fine: last.fine && !isOld }, remedy);
  }
  if (config.keepBackups > 0) return fine(coded('no_backup_yet'));
  return bad(coded('no_backup'), coded('make_backup'));
}

async function countries({ config, clock }: Patient): Promise<Result> {
  try {
    const built = (await findBuildTime(config.geoip)).getTime() / 1000;
    const says = coded('countries_of', { date: formatDay(built) });
    const isOld = seconds(clock) - built > COUNTRY_DAYS * DAY;
    return isOld ? bad(says, coded('update_countries')) : fine(says);
  } catch {
    return bad(coded('countries_unreadable', { file: String(config.geoip) }), coded('correct_geoip'));
  }
}

const JOB_CODES = {
  salts: 'job_salts',
  sessions: 'job_sessions',
  removals: 'job_removals',
  exclusions: 'job_exclusions',
  sealing: 'job_sealing',
  'visitor codes': 'job_visitor_codes',
  receipts: 'job_receipts',
  changes: 'job_changes',
  recount: 'job_recount',
  backup: 'job_backup',
  forgetting: 'job_forgetting',
  parquet: 'job_parquet',
  mails: 'job_mails',
} as const satisfies Record<Job, Code>;

/**
 * Lists jobs that have not finished their work, each with the reason, such as an error. If days could not be sealed,
 * the check "seal" already reports this. Then the job "sealing" is left out here.
 */
function jobs({ db }: Patient): Result {
  const isTold = findUpkeep(db, 'seal')?.fine === false;
  const waiting = listWaitingJobs(db).filter(({ job }) => !(isTold && job === 'sealing'));
  const [first] = waiting;
  if (!first) return fine(coded('nothing_waits'));
  const named = waiting.map(({ job, since, reason }) =>
    coded(JOB_CODES[job], { since: iso(since), reason: [readCoded(reason)] }),
  );
  return bad(coded('jobs_wait', { jobs: named }), coded('see_log'));
}

/**
 * Reports whether removed salts are really gone. Once a day, this server and each collector search their own files for
 * these salts. A found salt is a fault. A collector that reports no recent search is a fault too
 * (src/store/server/collector-searches.ts).
 */
function forgetting(patient: Patient): Result {
  const own = noted('forgetting', coded('no_forgetting'), coded('report_salts'))(patient);
  const faulty = listCollectorSearches(patient.db, seconds(patient.clock)).filter((one) => !one.fine);
  const hasSearched = findUpkeep(patient.db, 'forgetting') !== undefined;
  if (!own.fine || !hasSearched || faulty.length === 0) return own;
  return { fine: false, says: faulty.map(({ words }) => words), remedies: [coded('report_collectors')] };
}

function versions({ db }: Patient): Result {
  const { sqlite = '' } = db.one<{ sqlite: string }>('SELECT sqlite_version() AS sqlite') ?? {};
  return fine(coded('versions', { version, node: process.versions.node, sqlite }));
}

const CHECKS: Record<string, (patient: Patient) => Result | Promise<Result>> = {
  version: versions,
  time,
  visitors,
  mail,
  webhook,
  channels,
  disk,
  capacity,
  excluded,
  cluster: ({ db, clock, upkeep }) => checkServers(db, upkeep, seconds(clock)),
  collectors: ({ db, clock }) => checkCollectors(db, seconds(clock)),
  seal: noted('seal', coded('none_sealed'), coded('report_unsealed')),
  jobs,
  backup,
  restore: noted('restore', coded('no_restore_test'), coded('copy_again')),
  forgetting,
  parquet: noted('parquet', coded('no_parquet'), coded('check_parquet')),
  recount: noted('recount', coded('no_recount'), coded('check_all')),
  check: noted('check', coded('no_check'), coded('restore_or_import')),
  countries,
};

/**
 * How long a check may take. After that, the finding is that the check hangs. So a server of a cluster that hangs does
 * not hide the other findings.
 */
const PATIENCE_MS = 6_000;
const LATE = bad(coded('not_checked_in_time'), coded('look_what_hangs'));

/** Runs a check, and returns a result even if the check fails or hangs. */
async function runCheck(check: () => Result | Promise<Result>): Promise<Result> {
  const ended = new AbortController();
  try {
    const late = pause(PATIENCE_MS, LATE, { signal: ended.signal });
    late.catch(() => {});
    return await Promise.race([(async () => await check())(), late]);
  } catch (error) {
    const { code, name } = error as { code?: string; name: string };
    return bad(coded('not_checked', { code: code ?? name }), coded('check_disk'));
  } finally {
    ended.abort();
  }
}
