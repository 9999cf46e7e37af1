import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AD_NETWORKS } from '../../../src/classify/ad.ts';
import { type ChannelTexts, findChannel } from '../../../src/classify/channel.ts';
import { SOURCES } from '../../../src/classify/known-sources.ts';
import { writeChannel } from '../../../src/cluster/query/channel.ts';
import { startApp } from '../../support/helpers.ts';
import { chance } from '../../support/random.ts';
import { ownServers } from '../asking.ts';

const HOSTS = SOURCES.flatMap(({ host, name }) => [host.replace('*', 'co.uk'), `a.${host.replace('*', 'de')}`, name]);
const ORIGINS = [
  '',
  '',
  ...HOSTS,
  'newsletter',
  'E-Mail',
  'sms',
  'Firebase',
  'FB',
  'mail.example.com',
  'ex.org',
  'a\nb',
  "o'k\\",
];
const MEDIA = [
  ...[
    '',
    '',
    'cpc',
    'CPM',
    'paid_social',
    'x paid',
    'display',
    'affiliate',
    'audio',
    'sms',
    'web push',
    'email',
    'social',
  ],
  ...[
    'organic_social',
    'video',
    'organic',
    'Referral',
    'app',
    '\u212Apc',
    'a\ncp\nb',
    'soc\u017Fal',
    'print',
    '\u{1f600}',
  ],
];

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

test('channels: the SQL of the cluster gives what the program gives, for any texts', async (t) => {
  const app = await startApp(t);
  const { askAt, hosts } = ownServers(app);
  const random = chance(t);
  const pick = (texts: readonly string[]): string => texts[Math.floor(random() * texts.length)] ?? '';
  const cases = Array.from(
    { length: 3_000 },
    (): ChannelTexts => ({
      source: pick(ORIGINS),
      utm_source: pick(ORIGINS),
      utm_medium: pick(MEDIA),
      ad: pick(['', '', ...AD_NETWORKS, 'other']),
    }),
  );
  const rows = cases.map(({ source, utm_source, utm_medium, ad }) => [source, utm_source, utm_medium, ad].map(quote));
  const sql = `SELECT groupArray(channel) FROM (
    SELECT ${writeChannel()} AS channel FROM (
      SELECT row.1 AS source, row.2 AS utm_source, row.3 AS utm_medium, row.4 AS ad
      FROM (SELECT arrayJoin([${rows.map((row) => `(${row.join()})`).join()}]) AS row)
    )) FORMAT JSONCompactColumns`;
  const [[found]] = JSON.parse(await askAt(hosts[0] ?? '', sql));
  const wrong = cases.filter((texts, i) => findChannel(texts) !== found[i]);
  assert.deepEqual(wrong, []);
});
