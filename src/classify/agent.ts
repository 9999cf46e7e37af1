// Reads the browser, the system and the kind of device from a user agent and client hints.
//
// Invariant: an unrecognised value is the empty text. If browsers do not send the number of a version, the version is
// only the name, such as `macOS`. Reading takes only microseconds for any text, because only the first 512 characters
// are read.
//
// Example: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 …) … CriOS/141 … Safari/604.1` gives `{ browser: 'Chrome',
// browserVersion: 'Chrome 141', os: 'iOS', osVersion: 'iOS 18', device: 'Mobile' }`. collect/outcome.ts calls
// `readAgent` for each hit, and imports call it for hits with a user agent.

import { cachedBriefly } from '../lib/cached-briefly.ts';

/**
 * What a user agent says. A version has the name in front, such as `Chrome 141`. If the number is not known, the
 * version is only the name.
 */
export type Agent = {
  browser: string;
  browserVersion: string;
  os: string;
  osVersion: string;
  device: 'Desktop' | 'Mobile' | 'Tablet' | '';
};

/** The headers Sec-CH-UA, Sec-CH-UA-Platform and Sec-CH-UA-Mobile, with which some browsers describe themselves. */
type Hints = { brands?: string | undefined; platform?: string | undefined; mobile?: string | undefined };

/** Reads the browser, the system and the device from a user agent. Unknown values are empty texts. */
export function readAgent(userAgent: string, hints: Hints = {}): Agent {
  const agent = parsed(userAgent.slice(0, LONGEST));
  const { browser, os, device } = agent;
  const brand = browser === 'Chrome' && hints.brands ? findName(BRANDS, hints.brands.slice(0, LONGEST)) : undefined;
  // A user of Android may request desktop sites. The user agent then says Linux, but the header Sec-CH-UA-Platform
  // still says Android.
  const platform = (os === '' || os === 'Linux') && hints.platform ? findName(PLATFORMS, hints.platform) : undefined;
  return {
    browser: brand?.name ?? browser,
    browserVersion: brand?.version ?? agent.browserVersion,
    os: platform?.name ?? os,
    osVersion: platform?.version ?? agent.osVersion,
    device: hints.mobile === '?1' ? 'Mobile' : platform ? findDevice(platform.name, platform.name) : device,
  };
}

/** Names with patterns. If a pattern has a group, its first group is the major version. */
type Names = readonly (readonly [name: string, pattern: RegExp])[];

/**
 * Browsers and their patterns. The first match counts, because most user agents also name other browsers. For example,
 * Edge also names Chrome and Safari.
 */
const BROWSERS: Names = [
  ['Instagram', /Instagram(?: (\d+))?/],
  ['Facebook', /FBA[NV]\/|FB_IAB\//],
  ['TikTok', /musical_ly|trill_|BytedanceWebview|TikTok /],
  ['LinkedIn', /LinkedInApp/],
  ['Snapchat', /Snapchat/],
  ['Pinterest', /\[Pinterest\//],
  ['X', /Twitter for |TwitterAndroid/],
  ['Threads', /Barcelona /],
  ['WeChat', /MicroMessenger/],
  ['Line', / Line\//],
  ['KakaoTalk', /KAKAOTALK/],
  ['Google app', /GSA\//],
  ['DuckDuckGo', /(?:DuckDuckGo|Ddg)\/(\d+)?/],
  ['Samsung Internet', /SamsungBrowser(?:\/(\d+))?/],
  ['Edge', /Edg(?:e|A|iOS)?\/(\d+)?/],
  ['Opera Mini', /Opera Mini|OPiOS/],
  ['Opera', /OP[RTX]\/(\d+)?|Opera/],
  ['Vivaldi', /Vivaldi(?:\/(\d+))?/],
  ['Brave', /Brave/],
  ['Yandex', /(?:YaBrowser|YaSearchBrowser)(?:\/(\d+))?/],
  ['UC Browser', /UC?Browser(?:\/(\d+))?|UCWEB/],
  ['MIUI Browser', /MiuiBrowser(?:\/(\d+))?/],
  ['Huawei Browser', /HuaweiBrowser(?:\/(\d+))?/],
  ['Vivo Browser', /VivoBrowser(?:\/(\d+))?/],
  ['HeyTap Browser', /HeyTapBrowser|OppoBrowser/],
  ['QQ Browser', /QQBrowser|QQ\//],
  ['Whale', /Whale\/(\d+)?/],
  ['Cốc Cốc', /coc_coc_browser(?:\/(\d+))?/],
  ['Silk', /Silk\/(\d+)?/],
  ['Meta Quest Browser', /OculusBrowser(?:\/(\d+))?/],
  ['Firefox Focus', /(?:Focus|Klar)\/(\d+)?/],
  ['Firefox', /(?:Firefox\/|FxiOS\/?)(\d+)?/],
  ['Electron', /Electron\/(\d+)?/],
  ['Internet Explorer', /(?:MSIE |Trident\/.*rv:)(\d+)|MSIE |Trident\//],
  ['Android WebView', /; wv\)/],
  ['Chrome', /(?:Chrome|CriOS|Chromium)\/(\d+)?/],
  ['Android Browser', /Android.+Version\/(\d+)?/],
  ['Safari', /(?:Version\/(\d+).*)?Safari\//],
  ['Safari (in-app)', /\(iP.+AppleWebKit/],
];

/**
 * Systems and their patterns. An iPad counts as iOS, as in Google Analytics and Umami. The device of an iPad is Tablet,
 * and the device of an iPhone is Mobile.
 */
const SYSTEMS: Names = [
  ['Windows', /Windows[ ;)]/],
  ['iOS', /iPhone|iPad|iPod/],
  ['KaiOS', /KAIOS/],
  ['HarmonyOS', /Harmony/],
  ['Tizen', /Tizen/],
  ['webOS', /Web0S|webOS/],
  ['Android', /Android/],
  ['Chrome OS', /CrOS/],
  ['macOS', /Macintosh|Mac OS X/],
  ['PlayStation', /PlayStation/],
  ['Linux', /Linux|X11/],
];

/** Browsers that sometimes send the user agent of Chrome. Their header Sec-CH-UA has the true name. */
const BRANDS: Names = [
  ['Brave', /"Brave"(?:;v="(\d+))?/],
  ['Vivaldi', /"Vivaldi"(?:;v="(\d+))?/],
  ['Opera', /"Opera[^"]*"?(?:;v="(\d+))?/],
  ['Edge', /"Microsoft Edge"(?:;v="(\d+))?/],
  ['DuckDuckGo', /"DuckDuckGo"(?:;v="(\d+))?/],
  ['Yandex', /"Ya(?:ndex|Browser)"(?:;v="(\d+))?/],
  ['Samsung Internet', /"Samsung Internet"(?:;v="(\d+))?/],
  ['Whale', /"Whale"(?:;v="(\d+))?/],
];

const PLATFORMS: Names = [
  ['Chrome OS', /Chrom(?:e|ium) OS/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /macOS/],
];

type Found = { name: string; version: string };

function findName(names: Names, text: string): Found | undefined {
  for (const [name, pattern] of names) {
    const match = pattern.exec(text);
    if (match) return { name, version: withVersion(name, match[1]) };
  }
  return undefined;
}

/**
 * The most digits of a version. No real version is longer. Without this limit, any visitor could send a number of 400
 * digits. An export with such a number could not be imported.
 */
const MOST_DIGITS = 4;

const withVersion = (name: string, version = ''): string =>
  version === '' || (/^\d+$/.test(version) && version.length > MOST_DIGITS) ? name : `${name} ${version}`;

/**
 * Where a user agent has the version of its system. Windows and iOS have rules of their own (`WINDOWS`,
 * `findIosVersion`). No version is read for other systems. For example, macOS writes the same number in every version.
 * Chrome on Android always writes `Android 10; K`, so this text is not read as a version.
 */
const SYSTEM_VERSIONS: Record<string, RegExp> = {
  Android: /Android (?!10; K\))(\d+)/,
  KaiOS: /KAIOS\/(\d+)/,
  Tizen: /Tizen (\d+)/,
};

/** The versions of Windows by their number in a user agent. Windows 11 writes the number of Windows 10. */
const WINDOWS: Record<string, string> = { '10.0': '10 or 11', '6.3': '8.1', '6.2': '8', '6.1': '7' };

/**
 * Finds the version of iOS. Since iOS 26, Safari writes iOS 18 in every user agent. The version of Safari itself is
 * then the version of the system. So the higher of the two numbers is used.
 */
function findIosVersion(text: string): string | undefined {
  const numbers = [/OS (\d{1,4})_/, /Version\/(\d{1,4})\b/].map((pattern) => Number(pattern.exec(text)?.[1] ?? 0));
  return Math.max(...numbers) > 0 ? String(Math.max(...numbers)) : undefined;
}

function findSystemVersion(os: string, text: string): string {
  const version =
    os === 'iOS'
      ? findIosVersion(text)
      : os === 'Windows'
        ? WINDOWS[/Windows NT (\d+\.\d+)/.exec(text)?.[1] ?? '']
        : SYSTEM_VERSIONS[os]?.exec(text)?.[1];
  return withVersion(os, version);
}

/** Matches televisions and headsets with Android. Their device is Desktop, as for game consoles, and not Tablet. */
const LARGE_ANDROID = /\bTV\b|GoogleTV|SmartTV|BRAVIA|CrKey|\bAFT[A-Z]|OculusBrowser/;

function findDevice(text: string, os: string): Agent['device'] {
  // On some computers, Internet Explorer writes `Tablet PC`, although the computer is not a tablet.
  if (/iPad|Tablet(?! PC)/.test(text)) return 'Tablet';
  if (/Mobi|iPhone|iPod|Opera Mini/.test(text)) return 'Mobile';
  if (/Android/.test(text) && !LARGE_ANDROID.test(text)) return 'Tablet';
  return os === '' ? '' : 'Desktop';
}

const NONE: Found = { name: '', version: '' };

function parse(text: string): Agent {
  const { name: os } = findName(SYSTEMS, text) ?? NONE;
  const { name: browser, version: browserVersion } = findName(BROWSERS, text) ?? NONE;
  return { browser, browserVersion, os, osVersion: findSystemVersion(os, text), device: findDevice(text, os) };
}

/**
 * The longest part of a user agent that is read. No real user agent is longer, and a very long one would take too much
 * time.
 */
const LONGEST = 512;

const parsed = cachedBriefly(parse, 2_000);
