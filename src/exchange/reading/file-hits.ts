// Turns a hit of an import file into a hit that the engine can store. The result is checked and classified, and has no
// personal data.
//
// The page and the campaign tags come from the URL. A country or device that the file does not name comes from the IP
// address or the user agent. The visitor becomes a code of 53 bits. The code is computed with a key: random bytes that
// are used for this import only. For this reason, the code does not reveal the visitor's id in the file. Without an id,
// a hit of today gets the code of a live hit with the same IP address and user agent.
//
// A file may have 30 million hits. To read these fast, results are cached by text, and a plain table of checks replaces
// schemas. ../import.ts calls the reader for each hit.

import { isIP } from 'node:net';
import { readAgent } from '../../classify/agent.ts';
import type { Countries, Place } from '../../classify/country.ts';
import { keepPage, keepSearch, type PageRules } from '../../classify/page.ts';
import { keepLabel, keepProperties } from '../../classify/private.ts';
import { readFileProps } from '../../classify/props.ts';
import { readFileRevenue } from '../../classify/revenue.ts';
import { findSource, readTags } from '../../classify/source.ts';
import { cached } from '../../lib/cache.ts';
import { makeAddressKey, unmapAddress } from '../../lib/http/address.ts';
import { computeKeyedNumber, makeNumberKey } from '../../lib/secrets.ts';
import { type Clock, DAY, seconds } from '../../lib/time.ts';
import { findSiteDay, findZone, type SiteZone } from '../../lib/zone.ts';
import { type FileTextField, OTHER, TEXT_FIELDS, type TextField } from '../../stats/dimensions.ts';
import { keepsPlaces, listDroppedTexts } from '../../stats/dimensions-off.ts';
import { packVitals, parseVitals } from '../../stats/vitals.ts';
import { CHECKS, type Field, type FileHit, OTHER_PAGE, UNKNOWN_HOST } from './file-fields.ts';
import { excerpt, lineRefusal } from './lines.ts';
import { parseSecond } from './moment.ts';

/**
 * Makes a function that checks and classifies the hits of a file. An error names the line, and the field by its name in
 * the file.
 */
export function hitReader(
  { site, countries, clock, key, codeOf, onDrop }: FileHitOptions,
  columns: Partial<Record<Field, string>> = {},
): (hit: FileHit, line: number) => ParsedHit {
  const nameField: NameOf = (field) => columns[field] ?? field;
  const readUrl = urlReader(nameField, site);
  const readMoment = momentReader(clock, site, nameField);
  const importCode = importCodes(key, site.id);
  const readLabel = cached((label) => keepLabel(site, label), FEW);
  const readProperties = propertiesReader(nameField, site);
  const readRevenue = revenueReader(nameField);
  const dropped = new Set(listDroppedTexts(site.dimensionsOff));
  const source = cached((referrer) => findSource(referrer, site), FEW);
  const sender = cached((ip) => {
    if (isIP(ip) === 0) return null;
    const address = unmapAddress(ip);
    return {
      address,
      key: makeAddressKey(address),
      place: countries.findPlace(address, keepsPlaces(site.dimensionsOff)),
    };
  }, MANY);

  return (hit, line) => {
    for (const [field, check] of CHECKS) {
      const value = hit[field];
      const fault = value ? check(value) : undefined;
      if (fault !== undefined) throw lineRefusal(line, nameField(field), `${fault}, not ${excerpt(value)}`);
    }
    const { at, url, referrer, event, label, visitor: named, ip, agent, engaged, scroll } = hit;
    const { day, second, isToday } = readMoment(at, line);
    const { path, host, tags } = readUrl(url, line);
    const from = ip ? sender(ip) : undefined;
    if (from === null) throw lineRefusal(line, nameField('ip'), `must be an IP address, not ${excerpt(ip)}`);

    let visitor: number;
    if (named) visitor = importCode(day, named);
    else if (!from || !agent) {
      throw lineRefusal(line, nameField('visitor'), 'is required where there are not both ip and agent');
    } else if (isToday) visitor = codeOf(day, site.id, from.address, agent);
    else visitor = importCode(day, from.key, agent);

    const known = agent ? readAgent(agent) : undefined;
    const words: Partial<Record<TextField, string>> = {
      page: path,
      hostname: host,
      label: event && label ? readLabel(label) : '',
      properties: hit.props ? readProperties(hit.props, line) : '',
      revenue: hit.revenue ? readRevenue(hit.revenue, line) : '',
      source: referrer ? source(referrer) : '',
      ...{ utm_source: tags.source, utm_medium: tags.medium },
      utm_campaign: tags.campaign,
      utm_term: tags.term,
      utm_content: tags.content,
      ad: tags.ad,
      ...readPlace(hit, from?.place),
      device: hit.device || known?.device || '',
      browser: hit.browser || known?.browser || '',
      browser_version: hit.browser_version || known?.browserVersion || '',
      os: hit.os || known?.os || '',
      os_version: hit.os_version || known?.osVersion || '',
    };
    const texts = TEXT_FIELDS.map((word) => {
      const text = words[word] ?? hit[word as FileTextField] ?? '';
      if (!dropped.has(word) || text === '') return text;
      onDrop?.(word);
      return '';
    });
    if (!engaged && scroll) throw lineRefusal(line, nameField('scroll'), `needs ${nameField('engaged')} beside it`);
    return { day, second, visitor, texts, ...readHeartbeat(hit) };
  };
}

/** Reads what a heartbeat reports about its page. A line without `engaged` and `vitals` is a hit, not a heartbeat. */
function readHeartbeat({ engaged, scroll, vitals }: FileHit): Pick<ParsedHit, 'engaged' | 'scroll' | 'vitals'> {
  if (!engaged && !vitals) return {};
  return {
    engaged: Number(engaged || 0),
    scroll: scroll ? Number(scroll) : undefined,
    vitals: vitals ? packVitals(parseVitals(vitals)) : undefined,
  };
}

/**
 * Reads the place of a visitor. A country, region or city in the file has priority over the place of the IP address. If
 * the file names another country, the region and the city of the IP address are not used either.
 */
function readPlace({ country = '', region = '', city = '' }: FileHit, found: Place | undefined): Place {
  const told = country.toUpperCase().replace(NO_COUNTRY, '');
  const from = told === '' || told === found?.country ? found : undefined;
  return {
    country: told || from?.country || '',
    region: (region === OTHER ? region : region.toUpperCase()) || from?.region || '',
    city: city || from?.city || '',
  };
}

/** Makes a function that reads the properties of a hit. The function throws if the properties cannot be read. */
function propertiesReader(nameField: NameOf, site: ImportSite) {
  const read = cached((json) => {
    const found = readFileProps(json);
    return typeof found === 'string' ? { fault: found } : { properties: keepProperties(site, found) };
  }, FEW);
  return (json: string, line: number): string => {
    const { properties, fault } = read(json);
    if (properties === undefined) throw lineRefusal(line, nameField('props'), fault ?? '');
    return properties;
  };
}

/** Makes a function that reads the revenue of a hit. The function throws if the revenue cannot be read. */
function revenueReader(nameField: NameOf) {
  const read = cached(readFileRevenue, FEW);
  return (json: string, line: number): string => {
    const { revenue, fault } = read(json);
    if (revenue === undefined) throw lineRefusal(line, nameField('revenue'), fault);
    return revenue;
  };
}

/**
 * Codes that do not stand for a country. Cloudflare writes T1 for Tor, and XX for an unknown country. Products behind
 * Cloudflare store these codes.
 */
const NO_COUNTRY = /^(?:T1|XX)$/i;

/**
 * A hit or a heartbeat after reading. `texts` has a text for each name in TEXT_FIELDS. Only heartbeats have the last
 * three fields. `engaged` is the number of seconds for which the page was visible. `scroll` is the seen part of the
 * page, in percent. `vitals` has the packed web vitals.
 */
export type ParsedHit = {
  day: number;
  second: number;
  visitor: number;
  texts: readonly string[];
  engaged?: number;
  scroll?: number | undefined;
  vitals?: number | undefined;
};

/** Lists texts in the order of TEXT_FIELDS. A missing text becomes an empty text. */
export const orderTexts = (texts: Partial<Record<TextField, string>>): string[] =>
  TEXT_FIELDS.map((field) => texts[field] ?? '');

export type CodeOf = (day: number, siteId: number, address: string, agent: string) => number;

/** The site that receives the hits. `domain` is the domain that the site has in the import file (`--from`). */
export type ImportSite = { id: number; domain: string; dimensionsOff: string } & PageRules & SiteZone;

type FileHitOptions = {
  site: ImportSite;
  countries: Countries;
  clock: Clock;
  key: Buffer;
  /**
   * Computes visitor codes of today in the same way as the server does for live hits. A visitor who is both in the file
   * and on the site today therefore counts once.
   */
  codeOf: CodeOf;
  /** Called for each text of a hit that is left out because the site does not keep its dimension. */
  onDrop?: (field: TextField) => void;
};

const MANY = { size: 20_000, longest: 1_000 };
const FEW = { size: 5_000, longest: 1_000 };

/** Returns the name that a field has in the file, for error messages. Users know only this name. */
type NameOf = (field: Field) => string;

function readPage(typed: string, rules: PageRules): { path: string; host: string } | null {
  const url = URL.parse(typed);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  const path = url.pathname === OTHER_PAGE ? OTHER : keepPage(url, rules);
  return { path, host: url.hostname === UNKNOWN_HOST ? '' : url.hostname };
}

/**
 * Makes a function that reads URLs. Whole URLs rarely repeat, because links in e-mails and ads have long query strings.
 * Pages do repeat. For this reason, pages and query strings are cached separately. A page keeps only those parameters
 * of the query string that the site's setting "page parameters" names.
 */
function urlReader(nameField: NameOf, rules: PageRules) {
  const page = cached((url) => readPage(url, rules), MANY);
  const parameters = cached((query) => keepSearch(query, rules), FEW);
  const tags = cached((query) => readTags(new URL(query, 'http://page.invalid/')), FEW);
  return (url: string | undefined, line: number) => {
    if (!url) throw lineRefusal(line, nameField('url'), 'is required');
    const pathEnd = url.search(/[?#]/);
    const fragment = pathEnd < 0 ? -1 : url.indexOf('#', pathEnd);
    const query = pathEnd < 0 ? '' : url.slice(pathEnd, fragment < 0 ? undefined : fragment);
    // If no parameter is kept, a "?" still follows the path. Otherwise, a space at the end of the path would be the end
    // of the URL, and `URL.parse` would remove the space.
    const kept = query === '' ? '' : parameters(query) || '?';
    const read = page((pathEnd < 0 ? url : url.slice(0, pathEnd)) + kept + (fragment < 0 ? '' : url.slice(fragment)));
    const found = tags(pathEnd < 0 ? '' : url.slice(pathEnd));
    if (read) return { ...read, tags: found };
    throw lineRefusal(line, nameField('url'), `must be such as https://example.com/page, not ${excerpt(url)}`);
  };
}

function momentReader(clock: Clock, site: SiteZone, nameField: NameOf) {
  const { dateAt } = findZone(site.timeZone);
  return (at: string | undefined, line: number) => {
    if (!at) throw lineRefusal(line, nameField('at'), 'is required');
    const moment = parseSecond(at);
    const now = seconds(clock);
    if (moment >= 0 && moment <= now) {
      const day = dateAt(moment);
      return { day, second: moment - day * DAY, isToday: day === findSiteDay(site, now) };
    }
    const help = Number.isNaN(moment) ? 'a time such as 2026-01-05T10:00:00Z' : 'in the past, from 1970 on';
    throw lineRefusal(line, nameField('at'), `must be ${help}, not ${excerpt(at)}`);
  };
}

/**
 * Makes a function that computes visitor codes. A code is computed from the visitor's id in the file. For a hit without
 * an id, the code is computed from the IP address and the user agent.
 */
function importCodes(key: Buffer, siteId: number) {
  const secret = makeNumberKey(key);
  // Only the latest code of each visitor is cached. One code is enough, because most hits of a visitor are on one day.
  const latest = cached(() => ({ day: -1, agent: '', code: 0 }), MANY);
  return (day: number, visitor: string, agent = ''): number => {
    const last = latest(visitor);
    if (last.day === day && last.agent === agent) return last.code;
    const code = computeKeyedNumber(secret, `${day}\n${siteId}\n${agent}\n${visitor}`);
    return Object.assign(last, { day, agent, code }).code;
  };
}
