// Values are stored as browsers and servers send them, such as /caf%C3%A9 or xn--bcher-kva.example. This file writes them as
// people write them: /café, bücher.example. A text must never pretend to be another one. So characters that cannot be seen
// stay encoded, and so do host names that mix letters which look alike.

import type { DimensionName, NumberFilter } from '../stats/dimensions.ts';
import { hostLabel } from './punycode.ts';

/** Characters that cannot be seen. Joiners are not among them, because some scripts need them. */
const UNSEEN = /(?![\u200c\u200d])[\p{C}\p{Z}]/gu;

/**
 * Encoded bytes of characters outside of ASCII. Codes such as %2F stay, because they differ in meaning from the
 * character itself.
 */
const LETTERS = /(?:%[89a-f][0-9a-f])+/gi;

function decoded(letters: string): string {
  try {
    return decodeURI(letters).replace(UNSEEN, encodeURIComponent);
  } catch {
    return letters;
  }
}

/** Decodes the letters of a path. What is not encoded correctly stays as it is. */
export const readablePath = (path: string): string => path.replace(LETTERS, decoded);

/** Encodes a typed path as it is stored. */
export const keptPath = (typed: string): string => typed.replace(/[^\0-~]+/gu, (letters) => encodeURI(letters));

/** Names of apps. The source of a visit from an app is its package name, which is a host name backwards. */
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

/** The name of a known app, or the host name in its own letters. */
export const readableHost = (host: string): string =>
  Object.hasOwn(APPS, host) ? (APPS[host] ?? host) : host.split('.').map(hostLabel).join('.');

const READABLE: Partial<Record<DimensionName | NumberFilter, (value: string) => string>> = {
  page: readablePath,
  entry: readablePath,
  exit: readablePath,
  source: readableHost,
};

export const readable = (name: DimensionName | NumberFilter, value: string): string => READABLE[name]?.(value) ?? value;
