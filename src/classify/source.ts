// The source of a visit, and its campaign tags. The source is the host of the referrer. The tags are in the URL.
//
// Invariant: a source is stored as a host with only one spelling: ASCII, lower case, without `www.`. The site itself is
// never a source. A tag with an e-mail address is not stored.
//
// Example: the referrer `https://www.google.de/search?q=x` gives the source `google.de`. The URL `/?utm_medium=cpc` has
// the tag `cpc`. collect/outcome.ts calls findSource and readTags for each hit. known-sources.ts has the names of
// well-known sources.

import { parseUrl } from '../lib/url.ts';
import { findAd } from './ad.ts';
import { isOnSite, LONGEST_HOST, type Names, spellHost } from './host.ts';
import { hasEmail, isSecret } from './private.ts';

/**
 * Finds the source of a visit. Gives an empty text for a direct visit, a link on the site itself, and a referrer
 * without a domain.
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
 * Writes a host in one spelling: ASCII, lower case, without www. in front and dots at the end. Gives undefined for a
 * text with a slash, a colon or white space.
 */
export function normalizeHost(host: string): string | undefined {
  if (/[/:\s]/.test(host)) return undefined;
  return spellHost(host)
    .slice(0, LONGEST_HOST)
    .replace(/\.+$/, '')
    .replace(/^(?:www\.)+/, '');
}

/**
 * IPv4 addresses end in a number, and no domain name does. IPv6 addresses have colons, so `normalizeHost` has refused
 * them already.
 */
const ADDRESS = /(?:^|\.)(?:\d+|0x[\da-f]*)$/;

const isNameless = (host: string): boolean => ADDRESS.test(host) || /(?:^|\.)localhost$/.test(host);

type Tags = Readonly<Record<'source' | 'medium' | 'campaign' | 'term' | 'content' | 'ad', string>>;

const NO_TAGS: Tags = { source: '', medium: '', campaign: '', term: '', content: '', ad: '' };

/**
 * Cuts a text between two characters. A cut inside an emoji would leave half of it, which cannot be stored as UTF-8.
 */
const cut = (text: string): string =>
  text.length <= LONGEST_TAG ? text : [...text].slice(0, LONGEST_TAG).join('').trimEnd();

/** A tag with an e-mail address becomes empty, because it would identify a person. */
export const keepTag = (text: string): string => (hasEmail(text) ? '' : cut(text.trim()));

/**
 * Reads the tag `source` or `ref`. Websites often put a key of one person into this tag. So a tag that looks like a key
 * becomes empty.
 */
const keepHint = (text: string): string => (isSecret(text.trim()) ? '' : keepTag(text));

/** If a tag comes several times, the first one counts. */
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
