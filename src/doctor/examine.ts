import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { version } from '../assets/version.ts';
import { builtAt } from '../classify/country.ts';
import type { Config } from '../config.ts';
import type { Engine } from '../engine.ts';
import { plural } from '../lib/plural.ts';
import { type Clock, DAY, dayOf, iso, MINUTE, seconds } from '../lib/time.ts';
import { greet } from '../mail/greet.ts';
import type { Db } from '../store/statements.ts';
import { findUpkeep, type Noted, type Upkeep } from '../store/upkeep.ts';

/** What was found about one thing; remedy is there where it needs attention. */
export type Finding = { name: string; fine: boolean; says: string; remedy?: string };

export type Patient = {
  config: Config;
  db: Db;
  path: string;
  clock: Clock;
  engine: Pick<Engine, 'growth' | 'lastHit'>;
  /** Another way to greet the mail server, for a daybook that is asked often. */
  greeting?: typeof greet;
};
type Found = Omit<Finding, 'name'>;

const MEGABYTE = 1e6;
/** A night may be missed. */
const COPY_DAYS = 2;
const COUNTRY_DAYS = 400;
const LEAST_FREE = 500 * MEGABYTE;
const LEAST_DAYS_LEFT = 60;
/** Before that there was no daybook. */
const BIRTHDAY = Date.parse('2026-01-01T00:00:00Z') / 1000;

const fine = (says: string): Found => ({ fine: true, says });
const bad = (says: string, remedy: string): Found => ({ fine: false, says, remedy });

const size = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / MEGABYTE).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/** What was noted, with when, and the remedy where it was not fine. */
const told = ({ fine: isFine, at, words }: Noted, remedy: string): Found =>
  isFine ? fine(`${iso(at)}: ${words}`) : bad(`${iso(at)}: ${words}`, remedy);

function noted(name: Upkeep, nothing: string, remedy: string): (patient: Patient) => Found {
  return ({ db }) => {
    const found = findUpkeep(db, name);
    return found ? told(found, remedy) : fine(nothing);
  };
}

async function time({ engine, clock }: Patient): Promise<Found> {
  const [now, last] = [seconds(clock), await engine.lastHit()];
  const remedy = 'set the clock of this machine, and keep it right by NTP';
  if (now < BIRTHDAY) return bad(`${iso(now)}, which is before there was daybook`, remedy);
  if (last > now + MINUTE) return bad(`${iso(now)}, but the last hit is of ${iso(last)}`, remedy);
  return fine(`${iso(now)}${last > 0 ? `; the last hit is of ${iso(last)}` : ''}`);
}

async function mail({ config: { smtpUrl }, db, greeting = greet }: Patient): Promise<Found> {
  if (smtpUrl === undefined) {
    const known = findUpkeep(db, 'mail-host')?.words;
    if (known) return fine(`the server sends by ${known}; with --smtp-url it is tried from here`);
    return fine('none is sent: there is no --smtp-url, so that links are in the log');
  }
  const trouble = await greeting(smtpUrl);
  const host = new URL(smtpUrl).host;
  return trouble
    ? bad(`${host}: ${trouble}`, 'correct --smtp-url, or see to the mail server')
    : fine(`${host} answers`);
}

const bytesOf = async (file: string): Promise<number> => (await stat(file)).size;

async function disk({ config, engine, path, clock }: Patient): Promise<Found> {
  const held = (await bytesOf(path)) + (await bytesOf(`${path}-wal`).catch(() => 0));
  const { bavail, bsize } = await statfs(dirname(path));
  const free = bavail * bsize;
  const daily = (await engine.growth(Math.floor(seconds(clock) / DAY))) * (1 + config.keepBackups);
  const days = daily > 0 ? Math.floor(free / daily) : Number.POSITIVE_INFINITY;
  const left = days > 3_650 ? 'years' : plural(days, 'day');
  const says = `${size(free)} free, ${size(held)} in use, ${size(daily)} more a day with all copies: ${left} left`;
  const isTight = free < Math.max(LEAST_FREE, held) || days < LEAST_DAYS_LEFT;
  return isTight
    ? bad(says, 'make room, move the file to a larger disk, or keep fewer copies (--keep-backups)')
    : fine(says);
}

function backup({ config, db, clock }: Patient): Found {
  const found = findUpkeep(db, 'backup');
  const remedy = 'see to the disk and the folder of the copies; daybook backup FILE makes one now';
  if (found) {
    const isOld = seconds(clock) - found.at > COPY_DAYS * DAY;
    const { fine: isFine, says } = told(found, remedy);
    return isFine && !isOld ? fine(says) : bad(says, remedy);
  }
  if (config.keepBackups > 0) return fine('none yet; the server makes the first in the night after the first hit');
  return bad('none was ever made', 'daybook backup FILE makes one, and --keep-backups 7 one each night');
}

async function countries({ config, clock }: Patient): Promise<Found> {
  try {
    const built = (await builtAt(config.geoip)).getTime() / 1000;
    const says = `of ${dayOf(built)}`;
    const isOld = seconds(clock) - built > COUNTRY_DAYS * DAY;
    return isOld ? bad(says, 'update daybook, or download a newer mmdb file and name it with --geoip') : fine(says);
  } catch {
    return bad(`${config.geoip} cannot be read`, 'correct --geoip, or leave it away');
  }
}

function versions({ db }: Patient): Found {
  const { sqlite = '' } = db.one<{ sqlite: string }>('SELECT sqlite_version() AS sqlite') ?? {};
  return fine(`daybook ${version}, node ${process.versions.node}, SQLite ${sqlite}`);
}

/** Everything that is looked at, in this order. */
const CHECKS: Record<string, (patient: Patient) => Found | Promise<Found>> = {
  version: versions,
  time,
  visitors: noted(
    'visitors',
    'nobody has come since the server was started',
    'where a proxy stands in front, start the server with --trusted-proxies and the address of the proxy',
  ),
  mail,
  disk,
  backup,
  drill: noted(
    'drill',
    'no copy has been tried yet',
    'make another copy with daybook backup FILE, and run daybook check',
  ),
  check: noted('check', 'daybook check has not been run yet', 'restore an earlier copy, or import those days again'),
  countries,
};

/** What cannot be looked at is a finding too, and must not hide the others. */
async function found(check: () => Found | Promise<Found>): Promise<Found> {
  try {
    return await check();
  } catch (error) {
    const { code, name } = error as { code?: string; name: string };
    return bad(`this could not be looked at (${code ?? name})`, 'see to the disk and to who may read the file');
  }
}

/** Looks at everything that makes a server trouble in the long run. It changes nothing. */
export async function examine(patient: Patient): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    findings.push({ name, ...(await found(() => check(patient))) });
  }
  return findings;
}
