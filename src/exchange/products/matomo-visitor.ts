// Reads the visitor of a visit in Matomo: the country, the device, the browser and so on. The values get the names that
// daybook uses.
//
// Example: Matomo's browser `Chrome Mobile` becomes `Chrome`. matomo.ts calls `readVisitor`.

import { readLanguage } from '../../classify/language.ts';
import type { FileHit } from '../reading/file-fields.ts';
import { type JsonObject, readText } from '../reading/json-objects.ts';
import { readScreen, writePlace, writeVersion } from '../reading/texts.ts';

export function readVisitor(visit: JsonObject): FileHit {
  const icon = /([a-z_]+)\.\w+$/.exec(readText(visit.deviceTypeIcon))?.[1] ?? '';
  const country = readText(visit.countryCode);
  const browser = named(readText(visit.browserName).replace(/^Unknown$/, ''), BROWSERS);
  const os = named(readText(visit.operatingSystemName).replace(/^Unknown$/, ''), SYSTEMS);
  return {
    visitor: readText(visit.visitorId) || readText(visit.fingerprint) || readText(visit.idVisit),
    country: /^[a-z]{2}$/i.test(country) && country !== 'xx' ? country : '',
    ...writePlace({ country, region: readText(visit.regionCode), city: readText(visit.city) }),
    device: DEVICES.get(icon) ?? '',
    browser,
    browser_version: writeVersion(browser, readText(visit.browserVersion)),
    os,
    os_version: writeVersion(os, readText(visit.operatingSystemVersion)),
    screen: readScreen(readText(visit.resolution)),
    language: readLanguage(readText(visit.languageCode)),
  };
}

const toMap = (names: Record<string, string>) => new Map(Object.entries(names));

/** Matomo's names of browsers, with daybook's names. Other names are imported unchanged. */
const BROWSERS = toMap({
  'Chrome Mobile': 'Chrome',
  'Chrome Mobile iOS': 'Chrome',
  'Chrome Webview': 'Android WebView',
  'Firefox Mobile': 'Firefox',
  'Firefox Mobile iOS': 'Firefox',
  'Microsoft Edge': 'Edge',
  'Mobile Safari': 'Safari',
  'Opera Mobile': 'Opera',
  'Samsung Browser': 'Samsung Internet',
  'Yandex Browser': 'Yandex',
});

const SYSTEMS = toMap({ Mac: 'macOS', iPadOS: 'iOS', 'GNU/Linux': 'Linux', Ubuntu: 'Linux' });

/**
 * The device for each name of an icon file in Matomo. Matomo translates the names of devices into the user's language,
 * but not the names of icon files.
 */
const DEVICES = toMap({
  desktop: 'Desktop',
  tv: 'Desktop',
  smartphone: 'Mobile',
  phablet: 'Mobile',
  feature_phone: 'Mobile',
  tablet: 'Tablet',
});

const named = (name: string, names: ReadonlyMap<string, string>): string => names.get(name) ?? name;
