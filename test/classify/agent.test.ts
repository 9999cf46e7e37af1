import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import UAParser from 'my-ua-parser';
import { type Agent, readAgent } from '../../src/classify/agent.ts';
import { adversaries } from './agents.ts';
import { PEOPLE } from './people.ts';

const CHROMIUM = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const ON_WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROMIUM} Chrome/138.0.0.0 Safari/537.36`;
const ON_LINUX = `Mozilla/5.0 (X11; Linux x86_64) ${CHROMIUM} Chrome/138.0.0.0 Safari/537.36`;
const ON_IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0 Mobile/15E148 Safari/604.1';

const DEVICES: Agent['device'][] = ['Desktop', 'Mobile', 'Tablet', ''];

const CHROME = { browser: 'Chrome', browserVersion: 'Chrome 138' };
const NOTHING: Agent = { browser: '', browserVersion: '', os: '', osVersion: '', device: '' };

const brands = (brand: string): string => `"Not)A;Brand";v="8", "Chromium";v="138", "${brand}";v="138"`;

test("people's agents give browser, system and device", () => {
  assert.ok(PEOPLE.length >= 70);
  for (const [agent, browser, os, device] of PEOPLE) {
    const { browserVersion, osVersion, ...found } = readAgent(agent);
    assert.deepEqual(found, { browser, os, device }, agent);
    assert.ok(browserVersion.startsWith(browser) && osVersion.startsWith(os), agent);
  }
});

test('what is no browser gives nothing', () => {
  for (const agent of ['', ' ', 'x', 'curl/8.7.1', 'Mozilla/5.0', 'ünïcode', '\0', 'Darwin/23.5.0']) {
    assert.deepEqual(readAgent(agent), NOTHING, agent);
  }
});

test('versions are those that browsers tell, with their names in front', () => {
  const safari = (os: string, version: string) =>
    `Mozilla/5.0 (iPhone; CPU iPhone OS ${os} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`;
  const found: [agent: string, browser: string, os: string][] = [
    [ON_WINDOWS, 'Chrome 138', 'Windows 10 or 11'],
    [`${ON_WINDOWS} Edg/141.0.1.2`, 'Edge 141', 'Windows 10 or 11'],
    [ON_WINDOWS.replace('NT 10.0', 'NT 6.1'), 'Chrome 138', 'Windows 7'],
    [ON_WINDOWS.replace('NT 10.0', 'NT 6.3'), 'Chrome 138', 'Windows 8.1'],
    [ON_WINDOWS.replace('NT 10.0', 'NT 99.0'), 'Chrome 138', 'Windows'],
    [ON_LINUX, 'Chrome 138', 'Linux'],
    [ON_IPHONE, 'Chrome 138', 'iOS 18'],
    [safari('17_6', '17.6'), 'Safari 17', 'iOS 17'],
    // Safari 26 runs on iOS 26 and still writes iOS 18.
    [safari('18_6', '26.1'), 'Safari 26', 'iOS 26'],
    [ON_LINUX.replace('X11; Linux x86_64', 'Linux; Android 14; Pixel 8'), 'Chrome 138', 'Android 14'],
    [ON_LINUX.replace('X11; Linux x86_64', 'Linux; Android 10; K'), 'Chrome 138', 'Android'],
    [ON_LINUX.replace('X11; Linux x86_64', 'Macintosh; Intel Mac OS X 10_15_7'), 'Chrome 138', 'macOS'],
    ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox 144', 'Linux'],
    ['Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko', 'Internet Explorer 11', 'Windows 7'],
  ];
  for (const [agent, browserVersion, osVersion] of found) {
    const { browserVersion: browser, osVersion: os } = readAgent(agent);
    assert.deepEqual([browser, os], [browserVersion, osVersion], agent);
  }
  assert.equal(readAgent(ON_WINDOWS, { brands: '"Brave";v="140", "Chromium";v="140"' }).browserVersion, 'Brave 140');
});

test('a version with more digits than a real one is left out', () => {
  const long = '9'.repeat(150);
  for (const [agent, name] of [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/${long} Safari/537.36`, 'Chrome'],
    [`Mozilla/5.0 (X11; Linux x86_64; rv:1) Gecko/20100101 Firefox/${long}`, 'Firefox'],
    [`Mozilla/5.0 (Linux; Android ${long}; SM-G) Chrome/141.0.0.0 Mobile`, 'Chrome 141'],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS ${long}_5) AppleWebKit/605.1.15 Version/${long} Mobile Safari/604.1`,
      'Safari',
    ],
  ] as const) {
    const { browserVersion, os, osVersion } = readAgent(agent);
    assert.equal(browserVersion, name);
    assert.match(osVersion, /^(?:Windows 10 or 11|Linux|Android|iOS)$/, os);
  }
  const brands = `"Microsoft Edge";v="${long}"`;
  assert.equal(
    readAgent('Mozilla/5.0 (X11; Linux x86_64) Chrome/141 Safari/537.36', { brands }).browserVersion,
    'Edge',
  );
});

test('only the first 512 characters of an agent are read', () => {
  const filler = ' '.repeat(512 - ON_WINDOWS.length);
  assert.equal(readAgent(`${ON_WINDOWS}${filler}Edg/138.0.0.0`).browser, 'Chrome');
  assert.equal(readAgent(`${' '.repeat(512)}${ON_WINDOWS}`).os, '');
});

test('brands tell who hides behind the agent of Chrome', () => {
  const names: [brand: string, browser: string][] = [
    ['Google Chrome', 'Chrome'],
    ['Brave', 'Brave'],
    ['Vivaldi', 'Vivaldi'],
    ['Opera', 'Opera'],
    ['Opera GX', 'Opera'],
    ['Microsoft Edge', 'Edge'],
    ['DuckDuckGo', 'DuckDuckGo'],
    ['YaBrowser', 'Yandex'],
    ['Samsung Internet', 'Samsung Internet'],
  ];
  for (const [brand, browser] of names) assert.equal(readAgent(ON_WINDOWS, { brands: brands(brand) }).browser, browser);
});

test('brands say nothing against an agent that names its browser', () => {
  const opera = `${ON_WINDOWS} OPR/120.0.0.0`;
  assert.equal(readAgent(opera, { brands: brands('Brave') }).browser, 'Opera');
});

test('the platform counts where the agent says Linux or nothing', () => {
  const systems: [platform: string, os: string, device: Agent['device']][] = [
    ['"Chrome OS"', 'Chrome OS', 'Desktop'],
    ['"Chromium OS"', 'Chrome OS', 'Desktop'],
    ['"Android"', 'Android', 'Tablet'],
    ['"Linux"', 'Linux', 'Desktop'],
    ['"Unknown"', 'Linux', 'Desktop'],
  ];
  for (const [platform, os, device] of systems) {
    assert.deepEqual(
      readAgent(ON_LINUX, { platform, mobile: '?0' }),
      { ...CHROME, os, osVersion: os, device },
      platform,
    );
  }
  assert.deepEqual(readAgent('Something/1.0', { platform: '"Windows"' }), {
    ...NOTHING,
    os: 'Windows',
    osVersion: 'Windows',
    device: 'Desktop',
  });
  assert.equal(readAgent(ON_WINDOWS, { platform: '"Android"' }).os, 'Windows');
  assert.equal(readAgent(ON_IPHONE, { platform: '"macOS"' }).os, 'iOS');
});

test('who says to be mobile is mobile, and who denies it is what the agent says', () => {
  assert.equal(readAgent(ON_LINUX, { platform: '"Android"', mobile: '?1' }).device, 'Mobile');
  assert.equal(readAgent(ON_WINDOWS, { mobile: '?0' }).device, 'Desktop');
  assert.equal(readAgent(ON_IPHONE, { mobile: '?0' }).device, 'Mobile');
});

test('hints of one request do not stick to the agent', () => {
  readAgent(ON_LINUX, { brands: brands('Brave'), platform: '"Android"', mobile: '?1' });
  assert.deepEqual(readAgent(ON_LINUX), { ...CHROME, os: 'Linux', osVersion: 'Linux', device: 'Desktop' });
});

test('hints that are garbage change nothing', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (brand, platform, mobile) => {
      fc.pre(!/[A-Z]/.test(brand + platform) && mobile !== '?1');
      assert.deepEqual(readAgent(ON_LINUX, { brands: brand, platform, mobile }), readAgent(ON_LINUX));
    }),
  );
});

test('any text gives words of the table', () => {
  const browsers = new Set(['', ...PEOPLE.map(([, browser]) => browser), 'Brave', 'Android Browser']);
  const systems = new Set(['', ...PEOPLE.map(([, , os]) => os)]);
  const word = fc.constantFrom(...PEOPLE.flatMap(([agent]) => agent.split(' ')));
  const agent = fc.array(fc.oneof(word, fc.string({ maxLength: 4 })), { maxLength: 20 }).map((all) => all.join(' '));
  fc.assert(
    fc.property(agent, (text) => {
      const { browser, os, device } = readAgent(text);
      assert.ok(browsers.has(browser) && systems.has(os), `${browser} ${os}`);
      assert.ok(DEVICES.includes(device));
      assert.ok(os === '' || device !== '');
    }),
    { numRuns: 2_000 },
  );
});

test('10,000 texts that are made to be slow to read are read', () => {
  let read = 0;
  for (const text of adversaries()) {
    assert.ok(DEVICES.includes(readAgent(text).device), text);
    read++;
  }
  assert.equal(read, 10_000);
});

/** The other parser's names for what it sees too. */
const THEIRS: Record<string, string> = {
  'Mobile Safari': 'Safari',
  WebKit: 'Safari (in-app)',
  'Chrome WebView': 'Android WebView',
  'Opera Touch': 'Opera',
  UCBrowser: 'UC Browser',
  QQBrowser: 'QQ Browser',
  HeyTap: 'HeyTap Browser',
  'Coc Coc': 'Cốc Cốc',
  'Oculus Browser': 'Meta Quest Browser',
  IE: 'Internet Explorer',
  GSA: 'Google app',
  Twitter: 'X',
  KAKAOTALK: 'KakaoTalk',
  'Mac OS': 'macOS',
  'Chromium OS': 'Chrome OS',
  Ubuntu: 'Linux',
  KAIOS: 'KaiOS',
  mobile: 'Mobile',
  tablet: 'Tablet',
  smarttv: 'Desktop',
  console: 'Desktop',
  wearable: 'Desktop',
};

/** What it sees otherwise, or not at all. */
const DIFFERENCES = [
  'Opera Mini: Mobile, not ',
  'DuckDuckGo: DuckDuckGo, not Edge',
  'DuckDuckGo: Mobile, not Tablet',
  'Huawei Browser: HarmonyOS, not ',
  'Edge: Windows, not Xbox',
  'Pinterest: Pinterest, not Android WebView',
  'Pinterest: Pinterest, not Safari (in-app)',
  'Threads: Threads, not Safari (in-app)',
];

test('another parser sees the same but for a few known differences', () => {
  const differences = PEOPLE.flatMap(([agent]) => {
    const ours = readAgent(agent);
    const { browser, os, device } = new UAParser(agent).getResult();
    const common = (name: string | undefined): string => THEIRS[name ?? ''] ?? name ?? '';
    const pairs = [
      [ours.browser, common(browser.name)],
      [ours.os, common(os.name)],
      // It has no word for computers.
      [ours.device, common(device.type) || (os.name === undefined ? '' : 'Desktop')],
    ];
    return pairs.filter(([own, other]) => own !== other).map(([own, other]) => `${ours.browser}: ${own}, not ${other}`);
  });
  assert.deepEqual(differences.sort(), DIFFERENCES.sort());
});
