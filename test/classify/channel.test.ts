import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AD_NETWORKS, findAd } from '../../src/classify/ad.ts';
import { ADS, CHANNELS, type Channel, findAdClass, findChannel, findOrigin } from '../../src/classify/channel.ts';
import { CLASSES, makeChannelTable } from '../../src/classify/channel-table.ts';
import { SOURCES } from '../../src/classify/known-sources.ts';

type Cases = { source?: string; tag?: string; medium?: string; ad?: string };

/**
 * Cases from public definitions: the default channel group of Google Analytics 4, and the acquisition channels of Plausible. Each line
 * stands for all combinations of its words. An empty word is written `-`.
 *
 * daybook differs where its list of channels is shorter: paid video is Paid Social, and other paid visits are Other.
 */
const CASES: [Channel, Cases][] = [
  ['Direct', {}],
  [
    'Organic Search',
    {
      source:
        'google.com google.de google.co.uk bing.com duckduckgo.com search.yahoo.com yandex.ru baidu.com ecosia.org search.brave.com qwant.com startpage.com kagi.com com.google.android.googlequicksearchbox',
      medium: '- organic',
    },
  ],
  ['Organic Search', { tag: 'google Google bing duckduckgo yahoo ecosia', medium: '- organic' }],
  ['Organic Search', { tag: 'somebody -', medium: 'organic Organic' }],
  [
    'Paid Search',
    { source: 'google.com bing.com duckduckgo.com', medium: 'cpc CPC ppc paid paidsearch cpm cpv retargeting' },
  ],
  [
    'Paid Search',
    { tag: 'google bing adwords google-ads', medium: 'cpc ppc paid paid_search paid-search retargeting' },
  ],
  ['Paid Search', { source: '- google.com google.fr', medium: '-', ad: 'google microsoft' }],
  [
    'Organic Social',
    {
      source:
        'facebook.com m.facebook.com lm.facebook.com instagram.com l.instagram.com t.co x.com linkedin.com lnkd.in reddit.com old.reddit.com pinterest.com tiktok.com bsky.app mastodon.social threads.net news.ycombinator.com vk.com',
      medium: '- social referral',
    },
  ],
  ['Organic Social', { tag: 'facebook fb ig instagram linkedin reddit tiktok twitter meta', medium: '- social' }],
  ['Organic Social', { tag: 'somebody -', medium: 'social social-network social-media sm social_media' }],
  ['Organic Social', { ad: 'meta' }],
  ['Organic Social', { source: 'facebook.com instagram.com', ad: 'meta' }],
  [
    'Paid Social',
    {
      source: 'facebook.com instagram.com linkedin.com reddit.com',
      medium: 'cpc ppc paid paidsocial paid_social cpm retargeting',
    },
  ],
  ['Paid Social', { tag: 'facebook fb ig meta linkedin tiktok pinterest', medium: 'cpc ppc paid paid-social cpm' }],
  ['Paid Social', { source: '- tiktok.com x.com linkedin.com', ad: 'tiktok x linkedin' }],
  ['Paid Social', { source: 'youtube.com', medium: 'cpc paid cpv' }],
  ['Paid Social', { source: 'youtube.com', ad: 'google' }],
  [
    'Organic Video',
    { source: 'youtube.com m.youtube.com youtu.be vimeo.com twitch.tv dailymotion.com', medium: '- referral' },
  ],
  ['Organic Video', { tag: 'youtube yt vimeo twitch somebody', medium: 'video' }],
  [
    'Email',
    {
      source:
        'mail.google.com mail.yahoo.com outlook.live.com outlook.office.com com.google.android.gm mail.proton.me email',
    },
  ],
  ['Email', { tag: 'newsletter somebody facebook google -', medium: 'email e-mail e_mail Email newsletter' }],
  ['Email', { tag: 'email e-mail newsletter' }],
  [
    'AI Assistants',
    {
      source:
        'chatgpt.com claude.ai perplexity.ai www.perplexity.ai gemini.google.com copilot.microsoft.com grok.com chat.deepseek.com',
      medium: '- referral',
    },
  ],
  ['AI Assistants', { tag: 'chatgpt.com chatgpt claude perplexity openai' }],
  [
    'Referral',
    {
      source:
        'example.org blog.example.org github.com wikipedia.org google.example.org notgoogle.com facebook.com.example.org',
      medium: '- referral',
    },
  ],
  ['Referral', { source: '- example.org', medium: 'referral app link' }],
  ['Referral', { tag: 'producthunt partner' }],
  ['Display', { source: '- example.org google.com facebook.com', medium: 'display banner expandable interstitial' }],
  ['Display', { source: '- example.org', medium: 'cpm' }],
  ['Display', { source: 'example.org blog.example.org', ad: 'google microsoft doubleclick' }],
  ['Affiliates', { tag: '- partner google', medium: 'affiliate affiliates Affiliate' }],
  ['Audio', { tag: '- spotify', medium: 'audio podcast' }],
  ['SMS', { tag: '- shop', medium: 'sms SMS' }],
  ['SMS', { tag: 'sms' }],
  ['Mobile Push', { tag: '- shop', medium: 'push web-push mobile notification push-notification' }],
  ['Mobile Push', { tag: 'firebase' }],
  ['Other', { tag: '- somebody', medium: 'cpc ppc paid cpa' }],
  ['Other', { tag: 'somebody', medium: 'print qr flyer offline' }],
];

const wordsIn = (words = '-'): string[] => words.split(' ').map((word) => (word === '-' ? '' : word));

const all = CASES.flatMap(([channel, { source, tag, medium, ad }]) =>
  wordsIn(source).flatMap((ofSource) =>
    wordsIn(tag).flatMap((ofTag) =>
      wordsIn(medium).flatMap((ofMedium) =>
        wordsIn(ad).map((ofAd) => ({ channel, source: ofSource, utm_source: ofTag, utm_medium: ofMedium, ad: ofAd })),
      ),
    ),
  ),
);

test(`channels: ${all.length} cases of public definitions get their channel`, () => {
  assert.ok(all.length >= 400, `${all.length}`);
  const wrong = all.filter(({ channel, ...texts }) => findChannel(texts) !== channel);
  assert.deepEqual(
    wrong.map((one) => ({ ...one, found: findChannel(one) })),
    [],
  );
  assert.deepEqual(new Set(all.map(({ channel }) => channel)), new Set(CHANNELS));
});

test('channels: a well-known source has the class of its kind, under any of its hosts', () => {
  const classes = { search: ['search'], social: ['social', 'video'], assistant: ['assistant'] } as const;
  for (const { host, kind, name } of SOURCES) {
    const example = host.replace('*', 'de');
    const wanted: readonly string[] = classes[kind];
    assert.ok(wanted.includes(findOrigin(example)), example);
    if (!host.endsWith('*')) assert.ok(wanted.includes(findOrigin(`a.${example}`)), `a.${example}`);
    assert.ok(wanted.includes(findOrigin(name)), name);
    assert.equal(findOrigin(`${example}.example`), 'other');
  }
});

test('channels: the table of all combinations has a channel for each, and fits into 16 bits', () => {
  const table = makeChannelTable();
  const { origins, media, ads } = CLASSES;
  assert.equal(table.length, origins.length ** 2 * media.length * ads.length);
  assert.ok(table.length < 65_536);
  assert.ok(table.every((place) => place < CHANNELS.length));
});

test('channels: of a click id only the network is kept', () => {
  const found = (query: string) => findAd(new URL(`https://example.com/${query}`));
  assert.equal(found('?gclid=abc'), 'google');
  assert.equal(found('?a=1&wbraid='), 'google');
  assert.equal(found('?msclkid=1'), 'microsoft');
  assert.equal(found('?fbclid=1'), 'meta');
  assert.equal(found('?li_fat_id=1'), 'linkedin');
  assert.equal(found('?GCLID=1'), '');
  assert.equal(found('#gclid=1'), '');
  assert.equal(found(''), '');
  const classes: readonly string[] = ADS.map(([name]) => name);
  for (const network of AD_NETWORKS) assert.ok(classes.includes(findAdClass(network)), network);
});
