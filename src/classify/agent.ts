// Reads the browser, the system and the kind of device from a user agent and client hints.
//
// Invariant: the result has no versions, because browsers do not write their true version any more. What is not
// recognized is the empty text. Reading takes microseconds for any text, because only the first 512 characters are
// read.
//
// Example: `Mozilla/5.0 (iPhone; …) … CriOS/120 … Safari/604.1` gives `{ browser: 'Chrome', os: 'iOS', device: 'Mobile'
// }`. collect/outcome.ts calls readAgent for each hit, and imports call readAgent for each line of a log.

import { cachedBriefly } from '../lib/cached-briefly.ts';

export type Agent = { browser: string; os: string; device: 'Desktop' | 'Mobile' | 'Tablet' | '' };

/** The headers Sec-CH-UA, Sec-CH-UA-Platform and Sec-CH-UA-Mobile, with which some browsers describe themselves. */
type Hints = { brands?: string | undefined; platform?: string | undefined; mobile?: string | undefined };

/** A field is an empty text if its value is unknown. */
export function readAgent(userAgent: string, hints: Hints = {}): Agent {
  const { browser, os, device } = parsed(userAgent.slice(0, LONGEST));
  const brand = browser === 'Chrome' && hints.brands ? nameIn(BRANDS, hints.brands.slice(0, LONGEST)) : '';
  // A user of Android may ask for desktop sites. The user agent then says Linux, but the header Sec-CH-UA-Platform
  // still says Android.
  const platform = (os === '' || os === 'Linux') && hints.platform ? nameIn(PLATFORMS, hints.platform) : '';
  return {
    browser: brand || browser,
    os: platform || os,
    device: hints.mobile === '?1' ? 'Mobile' : platform ? findDevice(platform, platform) : device,
  };
}

type Names = readonly (readonly [name: string, pattern: RegExp])[];

/**
 * Browsers and their patterns. The first match counts: most user agents also name other browsers, and Edge names Chrome
 * and Safari too.
 */
const BROWSERS: Names = [
  ['Instagram', /Instagram/],
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
  ['DuckDuckGo', /DuckDuckGo\/|Ddg\//],
  ['Samsung Internet', /SamsungBrowser/],
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera Mini', /Opera Mini|OPiOS/],
  ['Opera', /OP[RTX]\/|Opera/],
  ['Vivaldi', /Vivaldi/],
  ['Brave', /Brave/],
  ['Yandex', /YaBrowser|YaSearchBrowser/],
  ['UC Browser', /UC?Browser|UCWEB/],
  ['MIUI Browser', /MiuiBrowser/],
  ['Huawei Browser', /HuaweiBrowser/],
  ['Vivo Browser', /VivoBrowser/],
  ['HeyTap Browser', /HeyTapBrowser|OppoBrowser/],
  ['QQ Browser', /QQBrowser|QQ\//],
  ['Whale', /Whale\//],
  ['Cốc Cốc', /coc_coc_browser/],
  ['Silk', /Silk\//],
  ['Meta Quest Browser', /OculusBrowser/],
  ['Firefox Focus', /Focus\/|Klar\//],
  ['Firefox', /Firefox\/|FxiOS/],
  ['Electron', /Electron\//],
  ['Internet Explorer', /MSIE |Trident\//],
  ['Android WebView', /; wv\)/],
  ['Chrome', /Chrome\/|CriOS\/|Chromium\//],
  ['Android Browser', /Android.+Version\//],
  ['Safari', /Safari\//],
  ['Safari (in-app)', /\(iP.+AppleWebKit/],
];

/**
 * An iPad counts as iOS, as in Google Analytics and Umami. The device of an iPad is Tablet, and the device of an iPhone
 * is Mobile.
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
  ['Brave', /"Brave"/],
  ['Vivaldi', /"Vivaldi"/],
  ['Opera', /"Opera/],
  ['Edge', /"Microsoft Edge"/],
  ['DuckDuckGo', /"DuckDuckGo"/],
  ['Yandex', /"Ya(?:ndex|Browser)"/],
  ['Samsung Internet', /"Samsung Internet"/],
  ['Whale', /"Whale"/],
];

const PLATFORMS: Names = [
  ['Chrome OS', /Chrom(?:e|ium) OS/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /macOS/],
];

const nameIn = (names: Names, text: string): string => names.find(([, pattern]) => pattern.test(text))?.[0] ?? '';

/** Televisions and headsets with Android have the device Desktop, as game consoles have, and not Tablet. */
const LARGE_ANDROID = /\bTV\b|GoogleTV|SmartTV|BRAVIA|CrKey|\bAFT[A-Z]|OculusBrowser/;

function findDevice(text: string, os: string): Agent['device'] {
  // On some computers, Internet Explorer writes `Tablet PC`, although the computer is not a tablet.
  if (/iPad|Tablet(?! PC)/.test(text)) return 'Tablet';
  if (/Mobi|iPhone|iPod|Opera Mini/.test(text)) return 'Mobile';
  if (/Android/.test(text) && !LARGE_ANDROID.test(text)) return 'Tablet';
  return os === '' ? '' : 'Desktop';
}

function parse(text: string): Agent {
  const os = nameIn(SYSTEMS, text);
  return { browser: nameIn(BROWSERS, text), os, device: findDevice(text, os) };
}

/** No real user agent is longer, and a very long one would take too much time. */
const LONGEST = 512;

const parsed = cachedBriefly(parse, 2_000);
