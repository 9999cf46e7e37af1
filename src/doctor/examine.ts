import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { builtAt } from '../classify/country.ts';
import type { Config } from '../config.ts';
import { version } from '../embedded/version.ts';
import { DAY_FULL } from '../engine/activity.ts';
import type { Engine } from '../engine/engine.ts';
import { plural } from '../lib/plural.ts';
import { type Clock, DAY, formatDay, iso, MINUTE, seconds } from '../lib/time.ts';
import { greet } from '../mail/greet.ts';
import type { Db } from '../store/db.ts';
import { BIRTHDAY, findTrustedDay, leapTo } from '../store/server/clock-trust.ts';
import { findUpkeep, type Noted, type Upkeep } from '../store/server/upkeep.ts';
import { listWaitingJobs } from '../store/server/waiting-jobs.ts';
import { listSiteDomains } from '../store/sites/sites.ts';
import { collectorsFound } from './collectors.ts';
import { bad, fine, type Result, size } from './result.ts';
import { serversFound } from './servers.ts';

/** A check by its name, and its result. */
export type Finding = Result & { name: string };

export type Patient = {
  config: Config;
  db: Db;
  path: string;
  clock: Clock;
  engine: Pick<Engine, 'growth' | 'lastHit' | 'droppedDays' | 'listSilent'>;
  /** Another way to greet the mail server, for a daybook that is asked often. */
  greeting?: typeof greet;
};

/** A night may be missed. */
const COPY_DAYS = 2;
/** How many days back it is told what was dropped. */
const TOLD_DAYS = 7;
const COUNTRY_DAYS = 400;
const LEAST_FREE = 500e6;
const LEAST_DAYS_LEFT = 60;

/** From what the server noted, with the time. */
const fromNoted = ({ fine: isFine, at, words }: Noted, remedy: string): Result =>
  isFine ? fine(`${iso(at)}: ${words}`) : bad(`${iso(at)}: ${words}`, remedy);

/** A check of what the server noted last. */
function noted(name: Upkeep, nothing: string, remedy: string): (patient: Patient) => Result {
  return ({ db }) => {
    const last = findUpkeep(db, name);
    return last ? fromNoted(last, remedy) : fine(nothing);
  };
}

async function time({ db, engine, clock }: Patient): Promise<Result> {
  const [now, last] = [seconds(clock), await engine.lastHit()];
  const remedy = 'set the clock of this machine, and keep it right by NTP';
  if (now < BIRTHDAY) return bad(`${iso(now)}, which is before the first daybook`, remedy);
  const days = leapTo(db, Math.floor(now / DAY));
  if (days > 0) {
    const seen = formatDay((findTrustedDay(db) ?? 0) * DAY);
    const says = `${iso(now)}, which is ${plural(days, 'day')} from ${seen}, the last day seen; until the clock is trusted nothing is sealed or let go`;
    return bad(says, `${remedy}; if it is right, run daybook seal --trust-clock, or wait for 6 hours`);
  }
  if (last > now + MINUTE) return bad(`${iso(now)}, but the last hit is of ${iso(last)}`, remedy);
  return fine(`${iso(now)}${last > 0 ? `; the last hit is of ${iso(last)}` : ''}`);
}

async function mail({ config: { smtpUrl }, db, greeting = greet }: Patient): Promise<Result> {
  if (smtpUrl === undefined) {
    const host = findUpkeep(db, 'mail-host')?.words;
    if (host) return fine(`the server sends by ${host}; with --smtp-url it is tried from here`);
    return fine('Off (no --smtp-url); links go to the log');
  }
  const trouble = await greeting(smtpUrl);
  const host = new URL(smtpUrl).host;
  return trouble
    ? bad(`${host}: ${trouble}`, 'correct --smtp-url, or repair the mail server')
    : fine(`${host} answers`);
}

function webhook({ config: { webhookUrl }, db }: Patient): Result {
  const host = webhookUrl === undefined ? findUpkeep(db, 'webhook-host')?.words : new URL(webhookUrl).host;
  if (!host) return fine('Off (no --webhook-url)');
  const last = findUpkeep(db, 'webhook');
  if (!last) return fine(`${host}; nothing was due yet`);
  return fromNoted({ ...last, words: `${host}: ${last.words}` }, 'correct --webhook-url, or repair what listens there');
}

const bytesOf = async (file: string): Promise<number> => (await stat(file)).size;

async function disk({ config, engine, path, clock }: Patient): Promise<Result> {
  const used = (await bytesOf(path)) + (await bytesOf(`${path}-wal`).catch(() => 0));
  const { bavail, bsize } = await statfs(dirname(path));
  const free = bavail * bsize;
  const daily = (await engine.growth(Math.floor(seconds(clock) / DAY))) * (1 + config.keepBackups);
  const days = daily > 0 ? Math.floor(free / daily) : Number.POSITIVE_INFINITY;
  const left = days > 3_650 ? 'years' : plural(days, 'day');
  const says = `${size(free)} free, ${size(used)} in use, ${size(daily)} more a day with all copies: ${left} left`;
  const isTight = free < Math.max(LEAST_FREE, used) || days < LEAST_DAYS_LEFT;
  return isTight
    ? bad(says, 'make room, move the file to a larger disk, or keep fewer copies (--keep-backups)')
    : fine(says);
}

const daysAgo = (clock: Clock): number => Math.floor(seconds(clock) / DAY) - TOLD_DAYS;

/** Days on which hits were dropped because a site had more than --day-capacity. */
async function capacity({ db, engine, clock }: Patient): Promise<Result> {
  const full = await engine.droppedDays(DAY_FULL, daysAgo(clock));
  const [last] = full.slice(-1);
  if (!last) return fine('no day of a site was too large');
  const domain = listSiteDomains(db).find(({ id }) => id === last.siteId)?.domain ?? 'a deleted site';
  const says = `${plural(full.length, 'day')} of sites were full; of ${domain} ${plural(last.hits, 'hit')} of ${formatDay(last.day * DAY)} were dropped`;
  return bad(says, 'look where they come from; if they are people, raise --day-capacity');
}

/** Hits of the addresses of --exclude-addresses. Where these are those of a proxy, nobody is counted. */
async function excluded({ engine, clock }: Patient): Promise<Result> {
  const days = await engine.droppedDays('excluded', daysAgo(clock));
  const hits = days.reduce((sum, day) => sum + day.hits, 0);
  if (hits === 0) return fine('nothing came from excluded addresses');
  return fine(`${plural(hits, 'hit')} of the last ${TOLD_DAYS} days came from excluded addresses and were not counted`);
}

function backup({ config, db, clock }: Patient): Result {
  const last = findUpkeep(db, 'backup');
  const remedy = 'check the disk and the folder of the copies; daybook backup FILE makes one now';
  if (last) {
    const isOld = seconds(clock) - last.at > COPY_DAYS * DAY;
    const { fine: isFine, says } = fromNoted(last, remedy);
    return isFine && !isOld ? fine(says) : bad(says, remedy);
  }
  if (config.keepBackups > 0) return fine('none yet; the server makes the first in the night after the first hit');
  return bad('none was ever made', 'daybook backup FILE makes one, and --keep-backups 7 one each night');
}

async function countries({ config, clock }: Patient): Promise<Result> {
  try {
    const built = (await builtAt(config.geoip)).getTime() / 1000;
    const says = `of ${formatDay(built)}`;
    const isOld = seconds(clock) - built > COUNTRY_DAYS * DAY;
    return isOld ? bad(says, 'update daybook, or download a newer mmdb file and name it with --geoip') : fine(says);
  } catch {
    return bad(`${config.geoip} cannot be read`, 'correct --geoip, or leave it out');
  }
}

/** Jobs that could not be done when they were due. What could not be sealed is told once. */
function jobs({ db }: Patient): Result {
  const isTold = findUpkeep(db, 'seal')?.fine === false;
  const waiting = listWaitingJobs(db).filter(({ job }) => !(isTold && job === 'sealing'));
  const [first] = waiting;
  if (!first) return fine('nothing waits');
  const named = waiting.map(({ job, since, reason }) => `${job} since ${iso(since)} (${reason})`).join('; ');
  return bad(`these jobs wait: ${named}`, 'see the log of the server; each is tried again every minute');
}

function versions({ db }: Patient): Result {
  const { sqlite = '' } = db.one<{ sqlite: string }>('SELECT sqlite_version() AS sqlite') ?? {};
  return fine(`daybook ${version}, node ${process.versions.node}, SQLite ${sqlite}`);
}

/** All checks, in the order in which they are shown. */
const CHECKS: Record<string, (patient: Patient) => Result | Promise<Result>> = {
  version: versions,
  time,
  visitors: noted(
    'visitors',
    'none is known yet; the server looks each minute where visitors come from',
    'where a proxy stands in front, start the server with --trusted-proxies and the address of the proxy',
  ),
  mail,
  webhook,
  disk,
  capacity,
  excluded,
  cluster: ({ db, engine }) => serversFound(db, engine),
  collectors: ({ db, clock }) => collectorsFound(db, seconds(clock)),
  seal: noted(
    'seal',
    'no day has been sealed yet',
    'the server tries again every hour; until then these days are answered from their hits. Please report what is said here',
  ),
  jobs,
  backup,
  drill: noted(
    'drill',
    'no copy has been tried yet',
    'make another copy with daybook backup FILE, and run daybook check',
  ),
  recount: noted(
    'recount',
    'no day has been counted again yet',
    'run daybook check, which counts all of them; then restore an earlier copy, or import those days again',
  ),
  check: noted('check', 'daybook check has not been run yet', 'restore an earlier copy, or import those days again'),
  countries,
};

/** So long a check may take: what hangs, such as a server of a cluster, must not hide the others. */
const PATIENCE_MS = 6_000;
const LATE = bad('this could not be checked: no answer came in time', 'look what hangs, such as a disk or a server');

/** A check that fails is a finding too. */
async function resultOf(check: () => Result | Promise<Result>): Promise<Result> {
  const ended = new AbortController();
  try {
    const late = pause(PATIENCE_MS, LATE, { signal: ended.signal });
    late.catch(() => {});
    return await Promise.race([(async () => await check())(), late]);
  } catch (error) {
    const { code, name } = error as { code?: string; name: string };
    return bad(`this could not be checked (${code ?? name})`, 'check the disk, and who may read the file');
  } finally {
    ended.abort();
  }
}

/** Checks everything that gives a server trouble in the long run. It changes nothing. */
export const examine = (patient: Patient): Promise<Finding[]> =>
  Promise.all(
    Object.entries(CHECKS).map(async ([name, check]) => ({ name, ...(await resultOf(() => check(patient))) })),
  );
