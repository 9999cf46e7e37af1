// The channel of a visit, by rules for the few sources, tags and ads that traffic.ts makes. They share no code with
// daybook.
type Origin = { source: string; tag: string; medium: string; url: string };

const SEARCH = /^(?:google|bing|duckduckgo)\b/;
const SOCIAL = /^(?:news\.ycombinator|reddit)\b/;
const SEARCH_ADS = /[?&](?:gclid|msclkid)=/;
const SOCIAL_ADS = /[?&](?:ttclid|li_fat_id)=/;

type Kind = 'none' | 'search' | 'social' | 'site' | 'email';

const kindOf = (source: string): Kind =>
  source === '' ? 'none' : SEARCH.test(source) ? 'search' : SOCIAL.test(source) ? 'social' : 'site';

/** Without a medium that says something, the click id of an ad decides. */
function channelOfAd(kind: Kind, url: string): string | undefined {
  const [isSearch, isSocial] = [SEARCH_ADS.test(url), SOCIAL_ADS.test(url)];
  if (isSearch && (kind === 'search' || kind === 'none')) return 'Paid Search';
  if ((isSearch || isSocial) && kind === 'social') return 'Paid Social';
  if (isSocial && kind === 'none') return 'Paid Social';
  if ((isSearch || isSocial) && kind === 'site') return 'Display';
  return undefined;
}

export function channelOf({ source, tag, medium, url }: Origin): string {
  // The tags of partners are no known sources, so the referrer says more.
  const kind = tag === 'newsletter' ? 'email' : kindOf(source || tag);
  if (medium === 'cpc')
    return kind === 'search' ? 'Paid Search' : kind === 'social' ? 'Paid Social' : (channelOfAd(kind, url) ?? 'Other');
  if (medium === 'banner') return 'Display';
  if (medium === 'affiliate') return 'Affiliates';
  if (medium === 'email') return 'Email';
  const ad = medium === '' ? channelOfAd(kind, url) : undefined;
  if (ad) return ad;
  if (kind === 'email') return 'Email';
  if (medium === 'social' || kind === 'social') return 'Organic Social';
  if (kind === 'search') return 'Organic Search';
  if (kind === 'none') return url.includes('fbclid=') ? 'Organic Social' : 'Direct';
  return 'Referral';
}
