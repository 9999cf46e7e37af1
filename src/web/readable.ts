import type { DimensionName, NumberFilter } from '../stats/dimensions.ts';
import { hostLabel } from './punycode.ts';

/** Values as they are kept, written so that people can read them. */

/** Signs that would not be seen; joiners belong to some scripts. */
const UNSEEN = /(?![\u200c\u200d])[\p{C}\p{Z}]/gu;

/** The bytes of letters outside of ASCII; signs such as %2F mean something else than what they stand for. */
const LETTERS = /(?:%[89a-f][0-9a-f])+/gi;

function decoded(letters: string): string {
  try {
    return decodeURI(letters).replace(UNSEEN, encodeURIComponent);
  } catch {
    return letters;
  }
}

/** A path without the percent signs of its letters; what is not encoded rightly stays. */
export const readablePath = (path: string): string => path.replace(LETTERS, decoded);

/** A path as it is kept, of what somebody types. */
export const keptPath = (typed: string): string => typed.replace(/[^\0-~]+/gu, (letters) => encodeURI(letters));

/** Apps say their names backwards. */
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

/** The name of a known app, or a host with the letters of its language. */
export const readableHost = (host: string): string =>
  Object.hasOwn(APPS, host) ? (APPS[host] ?? host) : host.split('.').map(hostLabel).join('.');

const READABLE: Partial<Record<DimensionName | NumberFilter, (value: string) => string>> = {
  page: readablePath,
  entry: readablePath,
  exit: readablePath,
  source: readableHost,
};

export const readable = (name: DimensionName | NumberFilter, value: string): string => READABLE[name]?.(value) ?? value;
