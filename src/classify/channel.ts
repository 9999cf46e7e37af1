// Finds the channel of a visit, such as Organic Search or Email. The channel follows from four texts of the visit:
// source, utm_source, utm_medium and ad. Each text has a class, such as `search` or `paid`, and the classes decide the
// channel. Only totals-only days store channels. So a correction of this file also corrects all other past days.
//
// Invariant: both engines use the classes and rules of this file. The ledger computes a column
// (src/ledger/count/dimension-column.ts), and the cluster makes SQL (src/cluster/query/channel.ts). Both give the same
// result as `findChannel`. For this reason, the regular expressions use only features that both JavaScript and
// ClickHouse have.
//
// Example: the source google.de is a search engine. Without a tag, its visits are Organic Search. With the medium `cpc`
// or with a click id of Google Ads, its visits are Paid Search. Test: test/classify/channel.test.ts.

import { SOURCES } from './known-sources.ts';

export type ChannelTexts = Record<'source' | 'utm_source' | 'utm_medium' | 'ad', string>;

export function findChannel(texts: ChannelTexts): Channel {
  return chooseChannel(findClasses(texts));
}

/** The classes of a visit's texts. `origin` is the class of the source or of the tag `utm_source` (`joinOrigins`). */
export type ChannelClasses = { origin: Origin; medium: Medium; ad: Ad };

const findClasses = ({ source, utm_source, utm_medium, ad }: ChannelTexts): ChannelClasses => ({
  origin: joinOrigins(findOrigin(utm_source), findOrigin(source)),
  medium: findMedium(utm_medium),
  ad: findAdClass(ad),
});

/**
 * Chooses between the class of the tag and the class of the referrer. The tag has priority, because it says more. If
 * the class of the tag is not known, the class of the referrer is used, if there is one.
 */
export const joinOrigins = (tag: Origin, source: Origin): Origin =>
  tag === 'none' || (tag === 'other' && source !== 'none') ? source : tag;

export function chooseChannel(classes: ChannelClasses): Channel {
  const rule = RULES.find(([, needs]) =>
    Object.entries(needs).every(([name, wanted]) =>
      wanted.some((one) => one === classes[name as keyof ChannelClasses]),
    ),
  );
  return rule?.[0] ?? 'Other';
}

/**
 * All channels. The term of a channel is its place in this list, counted from 1. Totals-only days store these terms, so
 * the places must never change. Term 0 is the empty text, which no visit has.
 */
export const CHANNELS = [
  'Direct',
  'Organic Search',
  'Paid Search',
  'Organic Social',
  'Paid Social',
  'Organic Video',
  'Email',
  'AI Assistants',
  'Referral',
  'Display',
  'Affiliates',
  'Audio',
  'SMS',
  'Mobile Push',
  'Other',
] as const;
export type Channel = (typeof CHANNELS)[number];

const quote = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Writes a host of `SOURCES` as a regular expression. The expression also matches subdomains, unless the host ends in
 * `.*`.
 */
const writeHost = (host: string): string =>
  host.endsWith('.*') ? `^${quote(host.slice(0, -2))}\\.(?:com|(?:com?\\.)?[a-z]{2})$` : `(?:^|\\.)${quote(host)}$`;

const writeWords = (words: string): string => `^(?:${words})$`;

/**
 * The hosts of video platforms. Some of them are also in `SOURCES`, with the kind "social". For this reason, `video`
 * comes before `social` in `ORIGINS`.
 */
const VIDEO_HOSTS = ['youtube.com', 'youtu.be', 'vimeo.com', 'twitch.tv', 'dailymotion.com', 'rumble.com'];

/**
 * Writes an expression for all known sources of a kind. A source matches by its host, and a tag such as
 * `utm_source=google` matches by its name. `words` has further texts of tags, such as `adwords`.
 */
const matchKnown = (kind: 'search' | 'social' | 'assistant', words: string): string => {
  const known = SOURCES.filter((row) => row.kind === kind);
  const names = known.map(({ name }) => quote(name.toLowerCase()));
  return [...known.map(({ host }) => writeHost(host)), writeWords([...new Set([...names, words])].join('|'))].join('|');
};

/** Classes of a source or of the tag `utm_source`. The first expression that matches decides. */
export const ORIGINS = [
  ['assistant', matchKnown('assistant', 'openai|anthropic')],
  ['search', matchKnown('search', 'adwords|google[-_ ]?ads|bing[-_ ]?ads')],
  [
    'email',
    `${writeWords('e[-_ ]?mail|newsletter|mailchimp|brevo|sendgrid|substack[-_ ]email')}|^(?:web)?mail\\.|(?:^|\\.)(?:outlook\\.(?:live|office|office365)\\.com|com\\.google\\.android\\.gm)$`,
  ],
  ['sms', writeWords('sms')],
  ['push', writeWords('firebase|onesignal|push')],
  ['video', `${VIDEO_HOSTS.map(writeHost).join('|')}|${writeWords('youtube|yt|vimeo|twitch|dailymotion|rumble')}`],
  ['social', matchKnown('social', 'fb|ig|meta|facebook[-_ ]?ads|tw|twitter|li|hn|hackernews|yc')],
] as const;
export type Origin = (typeof ORIGINS)[number][0] | 'other' | 'none';

/** Classes of the tag `utm_medium`. The first expression that matches decides. */
export const MEDIA = [
  ['cpm', writeWords('cpm')],
  ['display', writeWords('display|banner|expandable|interstitial')],
  ['paid', writeWords('.*cp.*|ppc|retargeting|remarketing|paid.*|.*[-_ ]paid')],
  ['affiliate', writeWords('affiliates?')],
  ['audio', writeWords('audio|podcast')],
  ['sms', writeWords('sms')],
  ['push', 'push$|mobile|notification'],
  ['email', writeWords('e[-_ ]?mail|newsletter')],
  ['social', writeWords('(?:organic[-_ ]?)?social(?:[-_ ]?(?:network|media))?|sm')],
  ['video', 'video'],
  ['organic', writeWords('organic')],
  ['referral', writeWords('referral|app|link')],
] as const;
export type Medium = (typeof MEDIA)[number][0] | 'other' | 'none';

/**
 * Classes of ad networks. The text `ad` of a visit names the network whose click id was in the URL (ad.ts). Facebook
 * also adds click ids to links that are not ads. So its network `meta` has a class of its own, `link`.
 */
export const ADS = [
  ['search', writeWords('google|microsoft|yandex')],
  ['social', writeWords('tiktok|x|linkedin')],
  ['display', writeWords('doubleclick')],
  ['link', writeWords('meta')],
] as const;
export type Ad = (typeof ADS)[number][0] | 'other' | 'none';

/**
 * Media that say little about how a visit came. Only with these media may the click id of an ad decide the channel.
 * With any other medium, a click id changes nothing.
 */
const UNTOLD: readonly Medium[] = ['none', 'other', 'paid', 'organic', 'referral'];

type Rule = readonly [Channel, { [Name in keyof ChannelClasses]?: readonly ChannelClasses[Name][] }];

/** The rules for channels. The first rule that fits decides. */
const RULES: readonly Rule[] = [
  ['Paid Search', { origin: ['search'], medium: ['paid', 'cpm'] }],
  ['Paid Social', { origin: ['social', 'video'], medium: ['paid', 'cpm'] }],
  ['Display', { medium: ['display', 'cpm'] }],
  ['Display', { ad: ['display'], medium: UNTOLD }],
  ['Paid Search', { ad: ['search'], origin: ['search', 'none'], medium: UNTOLD }],
  ['Paid Social', { ad: ['search', 'social'], origin: ['video', 'social'], medium: UNTOLD }],
  ['Paid Social', { ad: ['social'], origin: ['none'], medium: UNTOLD }],
  ['Display', { ad: ['search', 'social'], origin: ['other'], medium: UNTOLD }],
  ['Other', { medium: ['paid'] }],
  ['Affiliates', { medium: ['affiliate'] }],
  ['Audio', { medium: ['audio'] }],
  ['SMS', { medium: ['sms'] }],
  ['Mobile Push', { medium: ['push'] }],
  ['Email', { medium: ['email'] }],
  ['SMS', { origin: ['sms'] }],
  ['Mobile Push', { origin: ['push'] }],
  ['Email', { origin: ['email'] }],
  ['AI Assistants', { origin: ['assistant'] }],
  ['Organic Social', { medium: ['social'] }],
  ['Organic Video', { medium: ['video'] }],
  ['Organic Social', { origin: ['social'] }],
  ['Organic Video', { origin: ['video'] }],
  ['Organic Search', { medium: ['organic'] }],
  ['Organic Search', { origin: ['search'] }],
  ['Organic Social', { ad: ['link'], origin: ['none'], medium: ['none'] }],
  ['Referral', { medium: ['referral'] }],
  ['Referral', { origin: ['other'], medium: ['none'] }],
  ['Direct', { origin: ['none'], medium: ['none'] }],
];

/** Makes a function that returns the first class whose expression matches. An empty text has the class `none`. */
function makeClassifier<Class extends string>(
  table: readonly (readonly [Class, string])[],
): (text: string) => Class | 'other' | 'none' {
  const rows = table.map(([name, expression]) => [name, new RegExp(expression, 'isu')] as const);
  return (text) => (text === '' ? 'none' : (rows.find(([, expression]) => expression.test(text))?.[0] ?? 'other'));
}

export const findOrigin: (text: string) => Origin = makeClassifier(ORIGINS);
export const findMedium: (text: string) => Medium = makeClassifier(MEDIA);
export const findAdClass: (text: string) => Ad = makeClassifier(ADS);
