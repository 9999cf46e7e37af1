// Private segments of paths. A segment is the text between two slashes. `:id` replaces each segment that a pattern of
// the site names, and each segment with an e-mail address.
//
// Invariant: for any path, comparing it with the patterns of a site takes at most some milliseconds (H10 in
// torture/words.test.ts). A segment with an e-mail address is hidden even without a pattern.
//
// Example: with the pattern `/users/{number}`, the path `/users/12/edit` is stored as `/users/:id/edit`, and
// `/Users/12` as `/Users/:id`. classify/page.ts calls hidePrivate for each page, and collect/outcome.ts calls keepLabel
// for labels. src/api checks patterns.

import type { Coded } from '../lang/coded.ts';
import { cached } from '../lib/cache.ts';
import { type Property, writeProperties } from '../stats/properties.ts';
import { isOnSite, type Names } from './host.ts';

export function hidePrivate(path: string, privatePaths: string): string {
  const patterns = patternsIn(privatePaths);
  if (patterns.length === 0 && !hasEmail(path)) return path;
  const segments = path.split('/', MOST_PATH_SEGMENTS);
  const places = [...segments.keys()].filter((at) => segments[at] !== '');
  const names = places.map((at) => segments[at] ?? '');
  for (const index of findPrivate(names, patterns)) segments[places[index] ?? 0] = HIDDEN;
  return segments.join('/');
}

/**
 * Hides the private segments of a label. The label of a download is a path of the site, therefore the patterns of the
 * site apply to labels too. In a label that is no path of the site, only e-mail addresses are hidden.
 */
export function keepLabel(site: OfSite, label: string): string {
  const [, head = '', host = '', path = ''] = /^((?:https?:\/\/)?([^/]*))(\/.*)$/s.exec(label) ?? [];
  const isOwn = path !== '' && (head === '' || isOnSite(site, host.toLowerCase()));
  return isOwn ? head + hidePrivate(path, site.privatePaths) : hidePrivate(label, '');
}

/**
 * Drops each property whose value has an e-mail address. A value may be a path of the site, therefore its private
 * segments are hidden.
 */
export const keepProperties = (site: OfSite, properties: readonly Property[]): string =>
  writeProperties(
    properties.flatMap(([name, value]) => (hasEmail(value) ? [] : [[name, keepLabel(site, value)] as const])),
  );

const HIDDEN = ':id';

/**
 * The most patterns of a site. Each hit is compared with every pattern, and many long patterns would take too much
 * time.
 */
export const MOST_PATTERNS = 20;
export const LONGEST_PATTERN = 100;
const MOST_SEGMENTS = 8;
/** The most segments of a stored path: it has at most 1,024 characters, and each slash begins a segment. */
const MOST_PATH_SEGMENTS = 1025;

/**
 * Matches an e-mail address: a name, an @, and a host with a dot before a letter. The name of a picture such as
 * logo@2x.png does not match, nor does a version such as react@18.2.0.
 */
const EMAIL = /[^\s@/]@(?!\dx\.)[^\s@/]+\.(?:\p{L}|%[89a-f])/iu;

/**
 * Matches an @ in another form: percent-encoded once (%40) or several times (%2540), full-width (＠) or small (﹫). A
 * keyboard for Chinese or Japanese may write the full-width forms of an @ and of a dot (．), or another dot (。 or ｡).
 */
const OTHER_AT = /%(?:25)*(?:40|ef%(?:25)*bc%(?:25)*a0|ef%(?:25)*b9%(?:25)*ab)|[\uff20\ufe6b]/gi;
const OTHER_DOT =
  /%(?:25)*(?:2e|ef%(?:25)*bc%(?:25)*8e|e3%(?:25)*80%(?:25)*82|ef%(?:25)*bd%(?:25)*a1)|[\uff0e\u3002\uff61]/gi;

/** True if a text has an e-mail address. Its @ and its dots may have other forms (`OTHER_AT`, `OTHER_DOT`). */
export function hasEmail(text: string): boolean {
  if (!/[@%\uff20\ufe6b]/.test(text)) return false;
  const found = text.replaceAll(OTHER_AT, '@');
  return found.includes('@') && EMAIL.test(found.replaceAll(OTHER_DOT, '.'));
}

const NUMBER = /^\d+$/;
const UUID = /^[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}$/i;
const HEX = /^(?=.*\d)[\da-f]{16,}$/i;
const JWT = /^eyJ[\w-]+\.[\w-]+\./;

/**
 * True for a UUID, a long hexadecimal number or a JWT (a signed token). Such a text may identify a person. Therefore
 * the tags `source` and `ref` are stored without it, and the placeholder `{token}` hides it.
 */
export const isSecret = (text: string): boolean => UUID.test(text) || HEX.test(text) || JWT.test(text);

/**
 * True for a long mix of digits, small letters and capital letters, as in a key. The title of an article in a path does
 * not match: separators stand between its words, therefore each part is short.
 */
const isMixed = (text: string): boolean =>
  text
    .split(/[^A-Za-z\d]+/)
    .some((part) => part.length >= 16 && /\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part));

type Fits = (segment: string) => boolean;

/** The placeholders of patterns, each with its test. A segment that passes the test is stored as `:id`. */
const HIDING: Record<string, Fits> = {
  '*': () => true,
  '{number}': (segment) => NUMBER.test(segment),
  '{uuid}': (segment) => UUID.test(segment),
  '{token}': (segment) => isSecret(segment) || isMixed(segment),
};

const isHiding = (part: string): boolean => Object.hasOwn(HIDING, part);
const NAMES = Object.keys(HIDING);
const NAMED = `${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)}`;

const splitPattern = (pattern: string): string[] => pattern.replace(/^\//, '').replace(/\/$/, '').split('/');

function findFault(pattern: string): Coded | undefined {
  if (pattern.length > LONGEST_PATTERN) return { code: 'pattern_too_long', values: { most: LONGEST_PATTERN } };
  if (!pattern.isWellFormed() || /\p{Cc}/u.test(pattern)) return { code: 'pattern_no_text', values: {} };
  if (pattern.includes('://')) return { code: 'pattern_no_path', values: {} };
  if (/[?#\\]/.test(pattern)) return { code: 'pattern_of_query', values: {} };
  const parts = splitPattern(pattern);
  if (parts.length > MOST_SEGMENTS) return { code: 'pattern_of_many', values: { most: MOST_SEGMENTS } };
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    return { code: 'pattern_of_dots', values: {} };
  const mixed = parts.find((part) => part.includes('*') && part !== '*');
  if (mixed) return { code: 'pattern_mixed', values: { part: mixed } };
  const unknown = parts.find((part) => /[{}]/.test(part) && !isHiding(part));
  if (unknown) return { code: 'pattern_unknown', values: { part: unknown, known: NAMED } };
  if (!parts.some(isHiding)) return { code: 'pattern_hides_nothing', values: { known: NAMED } };
  return undefined;
}

/**
 * Finds the first fault in a site's list of patterns for private paths, and the line of the fault. Blank lines are
 * allowed.
 */
export function findListFault(patterns: readonly string[]): Coded | undefined {
  for (const [index, typed] of patterns.entries()) {
    const pattern = typed.trim();
    const isLong = typed.length > LONGEST_PATTERN;
    const fault = isLong || pattern !== '' ? findFault(isLong ? typed : pattern) : undefined;
    const place = { line: index + 1, pattern: pattern.slice(0, LONGEST_PATTERN) };
    if (fault) return { ...fault, values: { ...place, ...fault.values } };
  }
  return undefined;
}

/**
 * Joins the patterns of private paths into one text with one pattern per line. Blank and repeated patterns are dropped.
 */
export const joinLines = (patterns: readonly string[]): string =>
  [...new Set(patterns.map((typed) => typed.trim()))].filter((pattern) => pattern !== '').join('\n');

/**
 * A pattern of private paths, split into segments. A pattern with `isAnchored` begins with a slash, and matches only at
 * the beginning of a path.
 */
type Pattern = { isAnchored: boolean; parts: readonly string[] };

const patternsIn = cached(
  (lines: string): readonly Pattern[] =>
    lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ isAnchored: line.startsWith('/'), parts: splitPattern(line) })),
  { size: 1_000 },
);

/**
 * Makes the test for one segment of a pattern. The segment is encoded as browsers encode paths. The test ignores upper
 * and lower case, because /Users is as private as /users.
 */
const makeFits = cached(
  (part: string): Fits => {
    const text = new URL(`http://page.invalid/${part}`).pathname.slice(1).toLowerCase();
    return HIDING[part] ?? ((segment) => segment.toLowerCase() === text);
  },
  { size: 5_000 },
);

function findPrivate(names: readonly string[], patterns: readonly Pattern[]): Set<number> {
  const found = new Set<number>();
  for (const [at, name] of names.entries()) if (hasEmail(name)) found.add(at);
  // Several patterns may have an equal part. The segments of a path are compared with that part only once.
  const fitting = cached((part: string) => names.map(makeFits(part)));
  for (const { isAnchored, parts } of patterns) {
    const columns = parts.map(fitting);
    const hiding = [...parts.keys()].filter((i) => isHiding(parts[i] ?? ''));
    const room = names.length - parts.length;
    for (let start = 0; start <= (isAnchored ? Math.min(0, room) : room); start++) {
      if (columns.every((column, i) => column[start + i])) for (const i of hiding) found.add(start + i);
    }
  }
  return found;
}

type OfSite = Names & { privatePaths: string };
