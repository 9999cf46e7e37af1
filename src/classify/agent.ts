import { cachedBriefly } from '../lib/cached-briefly.ts';

export type Agent = { browser: string; os: string; device: 'Desktop' | 'Mobile' | 'Tablet' | '' };

/** The raw headers Sec-CH-UA, Sec-CH-UA-Platform and Sec-CH-UA-Mobile, which some browsers send beside the agent. */
type Hints = { brands?: string | undefined; platform?: string | undefined; mobile?: string | undefined };

type Names = readonly (readonly [name: string, pattern: RegExp])[];

/** The first match wins, because most agents also name browsers that they are compatible with. */
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

/** An iPad is iOS, as in Google Analytics and Umami; its device tells it from an iPhone. */
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

/** These browsers send the same agent as Chrome, at least sometimes. */
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

/** Televisions and headsets with Android; like consoles, they count as Desktop. */
const LARGE_ANDROID = /\bTV\b|GoogleTV|SmartTV|BRAVIA|CrKey|\bAFT[A-Z]|OculusBrowser/;

function findDevice(text: string, os: string): Agent['device'] {
  // Internet Explorer said Tablet PC on computers that only might have been one.
  if (/iPad|Tablet(?! PC)/.test(text)) return 'Tablet';
  if (/Mobi|iPhone|iPod|Opera Mini/.test(text)) return 'Mobile';
  if (/Android/.test(text) && !LARGE_ANDROID.test(text)) return 'Tablet';
  return os === '' ? '' : 'Desktop';
}

function parse(text: string): Agent {
  const os = nameIn(SYSTEMS, text);
  return { browser: nameIn(BROWSERS, text), os, device: findDevice(text, os) };
}

/** No real agent is longer, and up to this length every pattern takes microseconds only. */
const LONGEST = 512;

const parsed = cachedBriefly(parse, 2_000);

/**
 * Browser, system and kind of device, '' where unknown. There are no versions, because browsers have frozen those in their
 * agents, so that they would be wrong.
 */
export function readAgent(userAgent: string, hints: Hints = {}): Agent {
  const { browser, os, device } = parsed(userAgent.slice(0, LONGEST));
  const brand = browser === 'Chrome' && hints.brands ? nameIn(BRANDS, hints.brands.slice(0, LONGEST)) : '';
  // An Android that asks for the site of a desktop says Linux in its agent.
  const platform = (os === '' || os === 'Linux') && hints.platform ? nameIn(PLATFORMS, hints.platform) : '';
  return {
    browser: brand || browser,
    os: platform || os,
    device: hints.mobile === '?1' ? 'Mobile' : platform ? findDevice(platform, platform) : device,
  };
}
