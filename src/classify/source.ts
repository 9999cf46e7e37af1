// The source of a visit, and its campaign tags. The source is the host of the referrer. The tags are in the URL.
//
// Invariant: a source is a host in one spelling: ASCII, lower case, without `www.`. The site itself is never a source.
// A tag with an e-mail address is not stored.
//
// Example: the referrer `https://www.google.de/search?q=x` gives the source `google.de`. The URL `/?utm_medium=cpc` has
// the tag `cpc`. collect/outcome.ts calls findSource and readTags for each hit. The file known-sources.ts has the names
// of well-known sources.

import { parseUrl } from '../lib/url.ts';
import { findAd } from './ad.ts';
import { isOnSite, LONGEST_HOST, type Names, spellHost } from './host.ts';
import { hasEmail, isSecret } from './private.ts';

/**
 * Finds the source of a visit. Returns an empty text for a direct visit, and for a link on the site itself. A referrer
 * without a domain, such as an IP address, gives an empty text too.
 */
export function findSource(referrer: string | undefined, site: Names): string {
  const url = referrer ? parseUrl(referrer) : null;
  if (!url || !/^(?:https?|android-app):$/.test(url.protocol)) return '';
  const host = normalizeHost(url.hostname);
  if (host === undefined || isNameless(host) || hasEmail(host)) return '';
  return isOnSite(site, host) || isOnSite(site, `www.${host}`) ? '' : host;
}

const LONGEST_TAG = 200;

/**
 * Writes a host in one spelling: ASCII, lower case, without "www." in front and without dots at the end. Returns
 * undefined for a text with a slash, a colon or white space.
 */
export function normalizeHost(host: string): string | undefined {
  if (/[/:\s]/.test(host)) return undefined;
  return spellHost(host)
    .slice(0, LONGEST_HOST)
    .replace(/\.+$/, '')
    .replace(/^(?:www\.)+/, '');
}

/**
 * Matches IPv4 addresses. An IPv4 address ends in a number, and no domain name does. IPv6 addresses need no test here:
 * they have colons, therefore `normalizeHost` refuses them.
 */
const ADDRESS = /(?:^|\.)(?:\d+|0x[\da-f]*)$/;

const isNameless = (host: string): boolean => ADDRESS.test(host) || /(?:^|\.)localhost$/.test(host);

type Tags = Readonly<Record<'source' | 'medium' | 'campaign' | 'term' | 'content' | 'ad', string>>;

const NO_TAGS: Tags = { source: '', medium: '', campaign: '', term: '', content: '', ad: '' };

/**
 * Shortens a long text, but never cuts a character such as an emoji in two. Half of an emoji cannot be stored as UTF-8.
 */
const cut = (text: string): string =>
  text.length <= LONGEST_TAG ? text : [...text].slice(0, LONGEST_TAG).join('').trimEnd();

/** Returns the text of a tag. A tag with an e-mail address becomes empty, because it would identify a person. */
export const keepTag = (text: string): string => (hasEmail(text) ? '' : cut(text.trim()));

/**
 * Reads the tag `source` or `ref`. Websites often put a key into these tags that identifies a person. Therefore a tag
 * that looks like a key becomes empty.
 */
const keepHint = (text: string): string => (isSecret(text.trim()) ? '' : keepTag(text));

/** Reads the campaign tags of a URL. If the URL has a tag several times, the first one is used. */
export function readTags(url: URL): Tags {
  if (url.search === '') return NO_TAGS;
  const { searchParams } = url;
  const typed = (name: string): string => searchParams.get(name) ?? '';
  return {
    source: keepTag(typed('utm_source')) || keepHint(typed('source')) || keepHint(typed('ref')),
    medium: keepTag(typed('utm_medium')),
    campaign: keepTag(typed('utm_campaign')),
    term: keepTag(typed('utm_term')),
    content: keepTag(typed('utm_content')),
    ad: findAd(url),
  };
}
