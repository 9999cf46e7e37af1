import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile, refusal, told } from '../files.ts';
import { action, VISIT, visits } from './matomo.ts';

const at = (time: string): string => `2026-01-05T${time}Z`;
const person = { country: 'FR', device: 'Desktop', browser: 'Chrome', os: 'macOS' };
const engaged = (text: string) =>
  readFile('matomo', text).hits.flatMap(({ engaged }) => (engaged === undefined ? [] : [engaged]));
const hitsOf = (text: string) =>
  readFile('matomo', text)
    .hits.filter((hit) => hit.engaged === undefined)
    .map(told);

test('a visit becomes its pageviews, with their time in UTC and how long each was looked at', () => {
  const text = visits({});
  assert.deepEqual(hitsOf(text), [
    { ...person, at: at('16:43:05'), page: '/', hostname: 'example.com', source: 'google.com' },
    { ...person, at: at('16:43:13'), page: '/learn', hostname: 'www.example.com' },
    { ...person, at: at('16:43:37'), page: '/search', hostname: 'example.com' },
  ]);
  assert.deepEqual(engaged(text), [8, 24]);
  assert.deepEqual(readFile('matomo', text).left, []);
});

test('a visit that is in the file twice, on two pages of an answer, counts once', () => {
  const text = `${visits({}, { idVisit: '2' })}\n${visits({ idVisit: 2 }, { idVisit: '3' })}`;
  assert.equal(hitsOf(text).length, 9);
  assert.deepEqual(readFile('matomo', text).left, [['visits that are in the file twice', 2]]);
  const nameless = { idVisit: null };
  assert.equal(hitsOf(visits(nameless, nameless)).length, 6);
});

test('without the first action the last one tells of the zone, even as a visit of half an hour ends', () => {
  const { firstActionTimestamp: _, ...older } = VISIT;
  assert.equal(hitsOf(JSON.stringify([older]))[0]?.at, at('16:43:05'));
  const india = { firstActionTimestamp: VISIT.firstActionTimestamp - 3.5 * 3600 };
  assert.equal(hitsOf(visits(india))[0]?.at, at('13:13:05'));
});

test('events, searches, downloads and links elsewhere become events on the page that was seen last', () => {
  const actionDetails = [
    action('18:43:05', { url: 'https://example.com/a' }),
    action('18:43:06', {
      type: 'event',
      eventCategory: 'Video',
      eventAction: 'Play',
      eventName: 'Intro',
      eventValue: 3,
    }),
    action('18:43:07', { type: 'download', url: 'https://example.com/a.pdf', timeSpent: '9' }),
    action('18:43:08', { type: 'outlink', url: 'https://x.org/' }),
    action('18:43:09', { type: 'search', url: null, siteSearchKeyword: 'bread' }),
    action('18:43:10', { type: 'goal', goalName: 'Order' }),
    action('18:43:10', { type: 'ecommerceAbandonedCart', revenue: 5 }),
    action('18:43:10', { type: 'form' }),
  ];
  const text = visits({ actionDetails, referrerType: 'direct', referrerUrl: null });
  assert.deepEqual(hitsOf(text), [
    { ...person, at: at('16:43:05'), page: '/a', hostname: 'example.com' },
    { ...person, at: at('16:43:06'), page: '/a', hostname: 'example.com', event: 'Video: Play', label: 'Intro' },
    {
      ...person,
      at: at('16:43:07'),
      page: '/a',
      hostname: 'example.com',
      event: 'Download',
      label: 'https://example.com/a.pdf',
    },
    {
      ...person,
      at: at('16:43:08'),
      page: '/a',
      hostname: 'example.com',
      event: 'Outbound link',
      label: 'https://x.org/',
    },
    { ...person, at: at('16:43:09'), page: '/a', hostname: 'example.com', event: 'Search', label: 'bread' },
  ]);
  assert.deepEqual(engaged(text), []);
  assert.deepEqual(readFile('matomo', text).left, [
    ['conversions of goals without revenue (daybook counts them from the imported pages and events)', 1],
    ['abandoned carts', 1],
    ['other actions', 1],
  ]);
});

test('revenue: orders, and conversions that have some, are events with it, to the digits of their currency', () => {
  const actionDetails = [
    action('18:43:05'),
    action('18:43:06', { type: 'ecommerceOrder', orderId: 'A-1', revenue: 33.300000000000004, revenueTax: 5 }),
    action('18:43:07', { type: 'ecommerceOrder', orderId: 'A-2', revenue: '1000' }),
    action('18:43:08', { type: 'goal', goalName: 'Lead', revenue: '12.5' }),
    action('18:43:09', { type: 'goal', goalName: 'Newsletter', revenue: 0 }),
  ];
  const found = (siteCurrency: unknown) => {
    const text = visits({ actionDetails, siteCurrency });
    return { sales: hitsOf(text).flatMap(({ event, revenue }) => (event ? [[event, revenue]] : [])), text };
  };
  assert.deepEqual(found('EUR').sales, [
    ['Order', 'EUR 3330'],
    ['Order', 'EUR 100000'],
    ['Lead', 'EUR 1250'],
  ]);
  assert.deepEqual(found('JPY').sales[2], ['Lead', 'JPY 13']);
  const tooHigh = visits({
    actionDetails: [action('18:43:05'), action('18:43:06', { type: 'ecommerceOrder', revenue: 9_999_999.999 })],
    siteCurrency: 'EUR',
  });
  assert.equal(hitsOf(tooHigh).at(-1)?.revenue, undefined);
  const unknown = found(undefined);
  assert.deepEqual(unknown.sales, [
    ['Order', undefined],
    ['Order', undefined],
    ['Lead', undefined],
  ]);
  assert.deepEqual(readFile('matomo', unknown.text).left, [
    ...Array(3).fill(['revenue whose amount or currency cannot be read', 1]),
    ['conversions of goals without revenue (daybook counts them from the imported pages and events)', 1],
  ]);
});

test('a campaign, which Matomo takes out of the address, comes with the first hit only', () => {
  const campaign = { referrerType: 'campaign', referrerName: 'spring', referrerUrl: '' };
  const [first, second] = hitsOf(
    visits({
      ...campaign,
      campaignSource: 'news',
      campaignMedium: 'mail',
      campaignKeyword: 'red',
      campaignContent: 'logo',
    }),
  );
  assert.deepEqual(first, {
    ...person,
    ...{
      at: at('16:43:05'),
      page: '/',
      hostname: 'example.com',
      utm_source: 'news',
      utm_medium: 'mail',
      utm_campaign: 'spring',
    },
    ...{ utm_term: 'red', utm_content: 'logo' },
  });
  assert.equal(second?.utm_campaign, undefined);
});

test('visits of one visitor are of one person, and without an id each visit is a person of its own', () => {
  const codes = (...more: object[]) => readFile('matomo', visits(...more)).hits.map(({ visitor }) => visitor);
  assert.equal(new Set(codes({}, { idVisit: '2' })).size, 1);
  assert.equal(new Set(codes({}, { visitorId: 'other' })).size, 2);
  const nobody = { visitorId: false, fingerprint: null };
  assert.equal(new Set(codes(nobody, { ...nobody, idVisit: '2' })).size, 2);
});

test('what Matomo does not know is empty, and names are ours', () => {
  const unknown = { countryCode: 'xx', deviceTypeIcon: null, browserName: 'Unknown', operatingSystemName: 'Unknown' };
  const ours = {
    countryCode: 'DE',
    regionCode: 'BE',
    city: 'Berlin',
    deviceTypeIcon: 'plugins/Morpheus/icons/dist/devices/smartphone.png',
    browserName: 'Mobile Safari',
    browserVersion: '18.5',
    operatingSystemName: 'iOS',
    operatingSystemVersion: '18',
    languageCode: 'de-at',
  };
  const [first] = hitsOf(visits({ ...unknown, referrerType: 'direct', referrerUrl: null }));
  assert.deepEqual(first, { at: at('16:43:05'), page: '/', hostname: 'example.com' });
  assert.deepEqual(hitsOf(visits(ours))[1], {
    ...{
      at: at('16:43:13'),
      page: '/learn',
      hostname: 'www.example.com',
      country: 'DE',
      device: 'Mobile',
      browser: 'Safari',
      os: 'iOS',
    },
    ...{ region: 'DE-BE', city: 'DE-BE Berlin' },
    ...{ browser_version: 'Safari 18', os_version: 'iOS 18', language: 'de' },
  });
});

test('pages of other hosts are left, and addresses without a scheme are read', () => {
  const actionDetails = [
    action('18:43:05', { url: 'https://other.example/' }),
    action('18:43:06', { type: 'event', eventAction: 'x' }),
    action('18:43:07', { url: 'www.example.com/b' }),
  ];
  const { hits, left } = readFile('matomo', visits({ actionDetails }));
  assert.deepEqual(
    hits.map(told).map(({ page, source }) => [page, source]),
    [['/b', 'google.com']],
  );
  assert.deepEqual(left, [
    ['another host', 1],
    ['another host', 1],
  ]);
});

test('pages of an answer may follow one another, and a visit may have a line of its own', () => {
  const [one, two, three] = ['1', '2', '3'].map((idVisit) => ({ idVisit }));
  const lines = [one, two, three].map((more) => `${JSON.stringify({ ...VISIT, ...more })}\n`).join('');
  for (const text of [
    `${visits({})}\n${visits({ ...two }, { ...three })}`,
    lines,
    `[]${[one, two, three].map((more) => visits({ ...more })).join('[]')}`,
  ]) {
    assert.equal(hitsOf(text).length, 9);
  }
  assert.equal(hitsOf(`\ufeff${JSON.stringify([VISIT], null, 2)}`).length, 3);
});

test('a visit may have more actions than a function takes arguments', () => {
  const text = `{"idVisit":"1","actionDetails":[${Array(250_000).fill('{}').join()}]}`;
  assert.match(refusal('matomo', text), /^line 1: visit "1" must have firstActionTimestamp/);
  const times = Array(250_000).fill('{"timestamp":9}').join();
  const { left } = readFile('matomo', `{"idVisit":"1","firstActionTimestamp":9,"actionDetails":[${times}]}`);
  assert.equal(left.length, 250_000);
});

test('what is wrong is said with its line and what would be right', () => {
  const bad = (more: object): string => visits({ actionDetails: [action('18:43:05', more)] });
  for (const [text, message] of [
    ['{"result":"error","message":"You can\'t access this resource"}', /^line 1: Matomo refused: "You can't access/],
    [`${JSON.stringify(VISIT)}\n{"idVisit":"2"}`, /^line 2: actionDetails: is required in each visit$/],
    [visits({}).slice(0, -100), /^line 1: must be JSON objects, not "\{/],
    ['idVisit,visitorId\n', /^line 1: must be JSON objects, not "idVisit/],
    ['[{"a":x}]', /^line 1: must be JSON, not/],
    [bad({ timestamp: 'noon' }), /^line 1: visit "68536" must have firstActionTimestamp/],
    [visits({ firstActionTimestamp: 1 }), /^line 1: visit "68536" must have firstActionTimestamp/],
  ] as const) {
    assert.match(refusal('matomo', text), message);
  }
});

test('a page without a URL, or with one that a stranger has made up, is left, and what follows is read', () => {
  const actionDetails = [
    action('18:43:05', { url: 'http://example.com:99999/%' }),
    action('18:43:06', { url: 'https://example.com/a' }),
    action('18:43:07', { url: null }),
    action('18:43:08', { url: 'ftp://example.com/x' }),
    action('18:43:09', { type: 'event', eventAction: 'x', url: 'https://example.com/a' }),
  ];
  const { hits, left } = readFile('matomo', visits({ actionDetails }));
  assert.deepEqual(
    hits.map(told).map(({ page, event, source }) => [page, event, source]),
    [
      ['/a', undefined, 'google.com'],
      ['/a', 'x', undefined],
    ],
  );
  const reason = 'pages without a URL that can be read';
  assert.deepEqual(left, [
    [reason, 1],
    [reason, 1],
    [reason, 1],
  ]);
});

test('fields that no visit of Matomo has are not known, and what daybook does not store is named', () => {
  const { leftOut } = readFile('matomo', visits({}));
  const { browserVersion: _, languageCode: __, ...bare } = { ...VISIT, browserVersion: '1', languageCode: 'fr' };
  assert.deepEqual(
    readFile(
      'matomo',
      visits({
        regionCode: 'BE',
        city: 'Berlin',
        browserVersion: '1',
        operatingSystemVersion: '1',
        resolution: '1440x900',
        languageCode: 'fr',
      }),
    ).lacking,
    [],
  );
  assert.deepEqual(
    readFile(
      'matomo',
      JSON.stringify([{ ...bare, regionCode: 'BE', operatingSystemVersion: '1', resolution: '1440x900' }]),
    ).lacking,
    ['cities', 'browser versions', 'languages'],
  );
  assert.deepEqual(readFile('matomo', '[]').lacking, []);
  assert.equal(leftOut.length, 1);
  assert.match(leftOut[0] ?? '', /^page titles, .*, which daybook does not store$/);
});

test('the keyword of a campaign of Matomo becomes the tag utm_term', () => {
  const campaign = { referrerType: 'campaign', referrerName: 'spring', referrerUrl: '' };
  for (const keyword of [{ referrerKeyword: 'shoes' }, { campaignKeyword: 'shoes', referrerKeyword: 'other' }]) {
    const [first] = hitsOf(visits({ ...campaign, ...keyword }));
    assert.deepEqual([first?.utm_campaign, first?.utm_term], ['spring', 'shoes']);
  }
});

test('where Matomo stores no URLs of referrers, sources are read from their names', () => {
  const { hits, leftOut } = readFile(
    'matomo',
    visits(
      { referrerUrl: '' },
      { referrerUrl: '', referrerType: 'social', referrerName: 'Facebook' },
      { referrerUrl: '', referrerType: 'website', referrerName: 'www.x.org' },
      { referrerUrl: '', referrerType: 'website', referrerName: '' },
      { referrerUrl: '', referrerType: 'direct', referrerName: '' },
    ),
  );
  const sources = hits.map(told).flatMap(({ source, page, country }) => (page === '/' && country ? [source] : []));
  assert.deepEqual(sources, ['google.com', 'facebook.com', 'x.org', undefined, undefined]);
  assert.equal(leftOut[0], 'sources of 1 visit, because Matomo does not name them. These visits count as direct');
});
