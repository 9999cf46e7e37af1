// Writes stored values as people write them. Values are stored as browsers and servers send them, such as /caf%C3%A9 or
// xn--bcher-kva.example. This file makes /café and bücher.example from these two values.
//
// Two different values should not look alike. So invisible characters stay encoded. A host name stays encoded if it
// mixes Latin letters with Cyrillic or Greek letters.

import { hostLabel } from './punycode.ts';
import type { FilterName } from './view.ts';

/** Matches invisible characters, except two joiners (U+200C and U+200D), which languages such as Persian need. */
const UNSEEN = /(?![\u200c\u200d])[\p{C}\p{Z}]/gu;

/**
 * Matches the encoded bytes of characters outside of ASCII, such as %C3%A9 for é. Does not match %2F, because in a path
 * %2F and / have different meanings.
 */
const LETTERS = /(?:%[89a-f][0-9a-f])+/gi;

function decoded(letters: string): string {
  try {
    return decodeURI(letters).replace(UNSEEN, encodeURIComponent);
  } catch {
    return letters;
  }
}

/** Decodes the characters outside of ASCII in a path, such as é. Bytes that are not correct UTF-8 stay encoded. */
export const readablePath = (path: string): string => path.replace(LETTERS, decoded);

/** Encodes a typed path in the way in which paths are stored: /café becomes /caf%C3%A9. */
export const keptPath = (typed: string): string => typed.replace(/[^\0-~]+/gu, (letters) => encodeURI(letters));

/**
 * The names of well-known Android apps. The source of a visit from such an app is the app's package name, such as
 * com.google.android.gm.
 */
export const APPS: Record<string, string> = {
  'com.anthropic.claude': 'Claude',
  'com.google.android.googlequicksearchbox': 'Google app',
  'com.google.android.gm': 'Gmail',
  'com.google.android.youtube': 'YouTube app',
  'com.google.android.apps.magazines': 'Google News app',
  'com.facebook.katana': 'Facebook',
  'com.facebook.orca': 'Messenger app',
  'com.instagram.android': 'Instagram',
  'com.twitter.android': 'X',
  'com.linkedin.android': 'LinkedIn',
  'com.reddit.frontpage': 'Reddit',
  'com.openai.chatgpt': 'ChatGPT',
  'com.pinterest': 'Pinterest app',
  'com.slack': 'Slack app',
  'com.whatsapp': 'WhatsApp app',
  'com.microsoft.teams': 'Teams app',
  'com.microsoft.office.outlook': 'Outlook app',
  'org.telegram.messenger': 'Telegram',
};

/**
 * Decodes a host name: bücher.example for xn--bcher-kva.example. A source may also be the package name of an Android
 * app. If `APPS` has this package name, the result is the app's name.
 */
export const readableHost = (host: string): string =>
  Object.hasOwn(APPS, host) ? (APPS[host] ?? host) : host.split('.').map(hostLabel).join('.');

const READABLE: Partial<Record<FilterName, (value: string) => string>> = {
  page: readablePath,
  entry: readablePath,
  exit: readablePath,
  hostname: readableHost,
  source: readableHost,
};

export const readable = (name: FilterName, value: string): string => READABLE[name]?.(value) ?? value;
