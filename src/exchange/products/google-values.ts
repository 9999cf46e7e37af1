// Reads values of Google Analytics that Plausible's export does not have, such as languages.
//
// `GOOGLE_TABLES` has Plausible's tables (plausible-tables.ts), and more tables of the same form for these values. For
// this reason, the code that adds Plausible's sums also adds Google's sums. A channel of Google that daybook does not
// have, such as Cross-network, becomes the channel Other.
//
// Example: the language `de-at` or `German` gives `de`. The system `Macintosh Intel 10.15` gives `macOS 10`. The text
// `google / cpc` gives the channel Paid Search. google.ts reads `GOOGLE_TABLES`.

import { CHANNELS } from '../../classify/channel.ts';
import { readLanguage } from '../../classify/language.ts';
import { once } from '../../lib/once.ts';
import type { SumSite } from '../format.ts';
import type { CsvRow } from '../reading/csv.ts';
import { readScreen, writeVersion } from '../reading/texts.ts';
import { NONE } from './google-names.ts';
import { type PlausibleTable, readChannel, TABLES } from './plausible-tables.ts';

export const GOOGLE_TABLES: Record<string, PlausibleTable> = {
  ...TABLES,
  channels: { texts: [], counts: { channels: ({ channel = '' }) => CHANNEL_NAMES.get(channel) ?? 'Other' } },
  source_media: { texts: [], counts: { channels: readSourceMedium } },
  hostnames: { texts: [], counts: { hostnames: ({ hostname = '' }) => readHost(hostname) }, hits: 'pageviews' },
  languages: { texts: [], counts: { languages: ({ language = '' }) => findLanguage(language) } },
  system_versions: { texts: [], counts: { os_versions: readSystemVersion } },
  screens: { texts: [], counts: { screens: ({ screen }) => readScreen(screen) } },
};

const CHANNEL_NAMES = new Map<string, string>([
  ...CHANNELS.map((name) => [name, name] as const),
  ['AI Assistant', 'AI Assistants'],
  ['Mobile Push Notifications', 'Mobile Push'],
  ['Paid Video', 'Paid Social'],
]);

function readSourceMedium({ source_medium = '' }: CsvRow, site: SumSite): string | undefined {
  const [source = '', utm_medium = ''] = source_medium.split(' / ').map((text) => (NONE.includes(text) ? '' : text));
  return readChannel({ source, utm_medium }, site);
}

/** Returns the host as browsers write it. Returns an empty text if the text is not a host. */
const readHost = (text: string): string => (/[/?#@:]/.test(text) ? '' : (URL.parse(`https://${text}`)?.hostname ?? ''));

/**
 * Finds the code of a language. Google writes an English name, or a code such as `de-at`. Names are tried first,
 * because a name with three letters, such as Lao, looks like a code.
 */
const findLanguage = (text: string): string => nameLanguages().get(text) ?? readLanguage(text);

const nameLanguages = once(() => {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  // A former code, such as `iw` for `he`, has the same name as the present code. Only present codes are used.
  const present = codes.filter((code) => Intl.getCanonicalLocales(code)[0] === code);
  return new Map(present.flatMap((code) => [names.of(code) ?? []].flat().map((name) => [name, code] as const)));
});

function readSystemVersion({ version = '' }: CsvRow): string {
  const [, name = '', number] = /^(.{1,100}?)\s+(\d[\d._]*)$/.exec(version) ?? [];
  return writeVersion(name.startsWith('Macintosh') ? 'macOS' : name, number);
}
