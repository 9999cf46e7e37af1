import { createSecretKey } from 'node:crypto';
import { isIP } from 'node:net';
import { agentOf, remembering } from '../classify/agent.ts';
import type { Countries } from '../classify/country.ts';
import { pageOf } from '../classify/page.ts';
import { sourceOf, tagsOf } from '../classify/source.ts';
import { addressKey, unmapped } from '../lib/address.ts';
import { Refusal } from '../lib/errors.ts';
import { keyedNumber } from '../lib/secrets.ts';
import { type Clock, DAY, isDay, seconds } from '../lib/time.ts';
import { DIMENSIONS, FIELD_WORDS, type FieldWord, WORDS, type Word } from '../stats/dimensions.ts';

/** A hit as a file tells it; its texts stand in the order of WORDS. With `engaged` it is a message, and no hit. */
export type ReadHit = { day: number; second: number; visitor: number; texts: readonly string[]; engaged?: number };

/** Gives the code of a visitor on a day. */
export type CodeOf = (day: number, siteId: number, address: string, agent: string) => number;

type Deps = {
  site: { id: number; domain: string };
  countries: Countries;
  clock: Clock;
  /** Random bytes of this one import, so that nobody can make its visitor codes again. */
  key: Buffer;
  /** The running server's codes, for those of today whom it may see again. */
  codeOf: CodeOf;
};

/** Longer texts hardly come twice, and would fill the memory. */
const LONGEST_REMEMBERED = 1_000;

/** What is wrong with a value, if anything. */
type Check = (value: string) => string | undefined;

const fine: Check = () => undefined;

const atMost =
  (longest: number): Check =>
  (value) => {
    if (value.length > longest && [...value].length > longest) return `must have at most ${longest} characters`;
    return value.isWellFormed() ? undefined : 'must be well-formed Unicode';
  };

const matching =
  (pattern: RegExp, help: string): Check =>
  (value) =>
    pattern.test(value) ? undefined : help;

/** What is asked of the words with a field of their own, where it is more than a length. */
const WORD_CHECKS: Partial<Record<FieldWord, Check>> = {
  event: atMost(120),
  country: matching(/^[a-z]{2}$/i, 'must be two letters such as DE'),
  device: matching(/^(?:Desktop|Mobile|Tablet)$/, 'must be Desktop, Mobile or Tablet'),
};

const wordFields = (kind: 'hit' | 'visit') =>
  Object.fromEntries(
    FIELD_WORDS.filter((name) => DIMENSIONS[name].kind === kind).map((name) => [
      name,
      WORD_CHECKS[name] ?? atMost(200),
    ]),
  );

export type Field = 'at' | 'url' | 'referrer' | 'engaged' | 'visitor' | 'ip' | 'agent' | FieldWord;

/** All that may be told of a hit. What is fine here by any value is looked at later. */
const FIELDS = {
  at: fine,
  url: fine,
  referrer: fine,
  ...wordFields('hit'),
  engaged: matching(/^\d{1,5}$/, 'must be whole seconds, with at most five digits'),
  visitor: fine,
  ip: fine,
  agent: fine,
  ...wordFields('visit'),
} as Record<Field, Check>;

export const FIELD_NAMES = Object.keys(FIELDS) as Field[];

/** What a file tells of one hit; an empty text is as good as none. */
export type Told = Partial<Record<Field, string>>;

/** A value as it may be shown at a terminal: cut, and without anything that would not be seen. */
export function shown(value: unknown): string {
  const signs = [...JSON.stringify(value).slice(0, 200)];
  const start = signs.length > 62 ? [...signs.slice(0, 61), '…'] : signs;
  return start.join('').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}

/** Those of the fields that are looked at one by one. */
const CHECKS = Object.entries(FIELDS).filter(([, check]) => check !== fine) as [Field, Check][];

export const wrong = (number: number, ...parts: string[]): Refusal =>
  new Refusal(`line ${number}: ${parts.join(': ')}`);

const AT =
  /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/;
const OFFSET = /([+-])(\d\d):?(\d\d)?$/;

/** Days since 1970; NaN for a day that does not exist. */
const dayNumber = remembering(
  (text) => (isDay(text) ? Date.parse(`${text}T00:00:00Z`) / 1000 / DAY : Number.NaN),
  5_000,
);

/** Seconds since 1970; NaN for what is no moment. All but the offset stands where it always stands, which spares captures. */
function secondOf(at: string): number {
  if (!AT.test(at)) return Number.NaN;
  const two = (place: number): number => at.charCodeAt(place) * 10 + at.charCodeAt(place + 1) - 528;
  const local = dayNumber(at.slice(0, 10)) * DAY + two(11) * 3_600 + two(14) * 60 + (at[16] === ':' ? two(17) : 0);
  if (at.endsWith('Z')) return local;
  const [, sign, hours, minutes = 0] = OFFSET.exec(at) ?? [];
  const ahead = Number(hours) * 3_600 + Number(minutes) * 60;
  return sign === '-' ? local + ahead : local - ahead;
}

function rememberingShort<T>(answer: (text: string) => T, size: number): (text: string) => T {
  const known = remembering(answer, size);
  return (text) => (text.length > LONGEST_REMEMBERED ? answer(text) : known(text));
}

function pageIn(typed: string): string | null {
  const url = URL.parse(typed);
  return url && /^https?:$/.test(url.protocol) ? (pageOf(url.pathname) ?? '/') : null;
}

const tagsIn = (query: string) => tagsOf(new URL(query, 'http://page.invalid/'));

/**
 * Makes hits of what files tell, and throws where something is wrong with it, by the name that the field has in the file. It
 * is asked up to 30 million times in a row, so what texts stand for is remembered, and a table of checks does what elsewhere
 * a schema does.
 */
export function hitReader({ site, countries, clock, key, codeOf }: Deps, columns: Partial<Record<Field, string>> = {}) {
  const nameOf = (field: Field): string => columns[field] ?? field;
  const secret = createSecretKey(key);
  const page = rememberingShort(pageIn, 20_000);
  const tags = rememberingShort(tagsIn, 5_000);
  const source = rememberingShort((referrer) => sourceOf(referrer, site.domain), 5_000);
  const origin = rememberingShort((ip) => {
    if (isIP(ip) === 0) return null;
    const address = unmapped(ip);
    return { address, key: addressKey(address), country: countries.countryOf(address) };
  }, 20_000);

  const lastCode = rememberingShort(() => ({ day: -1, agent: '', code: 0 }), 20_000);

  /** A visitor is mostly asked for again on the same day. An agent belongs to an address, and not to the name of a visitor. */
  function codeFor(day: number, visitor: string, agent = ''): number {
    const last = lastCode(visitor);
    if (last.day === day && last.agent === agent) return last.code;
    const code = keyedNumber(secret, `${day}\n${site.id}\n${agent}\n${visitor}`);
    return Object.assign(last, { day, agent, code }).code;
  }

  function momentOf(at: string | undefined, number: number): { day: number; second: number; isToday: boolean } {
    if (!at) throw wrong(number, nameOf('at'), 'is required');
    const moment = secondOf(at);
    const now = seconds(clock);
    if (moment >= 0 && moment <= now) {
      const day = Math.floor(moment / DAY);
      return { day, second: moment - day * DAY, isToday: day === Math.floor(now / DAY) };
    }
    const help = Number.isNaN(moment) ? 'a time such as 2026-01-05T10:00:00Z' : 'in the past, from 1970 on';
    throw wrong(number, nameOf('at'), `must be ${help}, not ${shown(at)}`);
  }

  return (told: Told, number: number): ReadHit => {
    for (const [field, check] of CHECKS) {
      const value = told[field];
      const fault = value ? check(value) : undefined;
      if (fault !== undefined) throw wrong(number, nameOf(field), `${fault}, not ${shown(value)}`);
    }
    const { at, url, referrer, event, label, visitor, ip, agent, country, device, browser, os, engaged } = told;
    const { day, second, isToday } = momentOf(at, number);
    if (!url) throw wrong(number, nameOf('url'), 'is required');
    // Many more addresses than pages come along, because of what mails and advertisements append to them.
    const mark = url.search(/[?#]/);
    const path = page(mark < 0 ? url : url.slice(0, mark + 1));
    const { source: utmSource, medium, campaign } = tags(mark < 0 ? '' : url.slice(mark));
    if (path === null)
      throw wrong(number, nameOf('url'), `must be such as https://example.com/page, not ${shown(url)}`);
    const from = ip ? origin(ip) : undefined;
    if (from === null) throw wrong(number, nameOf('ip'), `must be an IP address, not ${shown(ip)}`);

    let who: number;
    if (visitor) who = codeFor(day, visitor);
    else if (!from || !agent)
      throw wrong(number, nameOf('visitor'), 'is required where there are not both ip and agent');
    else if (isToday) who = codeOf(day, site.id, from.address, agent);
    else who = codeFor(day, from.key, agent);

    const by = agent ? agentOf(agent) : undefined;
    const words: Partial<Record<Word, string>> = {
      page: path,
      label: (event && label) || '',
      source: referrer ? source(referrer) : '',
      utm_source: utmSource,
      utm_medium: medium,
      utm_campaign: campaign,
      country: country?.toUpperCase() || from?.country || '',
      device: device || by?.device || '',
      browser: browser || by?.browser || '',
      os: os || by?.os || '',
    };
    const texts = WORDS.map((word) => words[word] ?? told[word as FieldWord] ?? '');
    const hit: ReadHit = { day, second, visitor: who, texts };
    if (engaged) hit.engaged = Number(engaged);
    return hit;
  };
}
