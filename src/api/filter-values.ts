// The schemas of the values of filters. A value is changed to the form in which hits store it.
//
// Example: the country `de` becomes `DE`, and the host name `München.de` becomes `xn--mnchen-3ya.de`. filters.ts makes
// the schemas of parameters and bodies from these schemas.

import * as v from 'valibot';
import { CHANNELS } from '../classify/channel.ts';
import { spellHost } from '../classify/host.ts';
import { SCREEN_NAMES } from '../classify/screen.ts';
import { normalizeHost } from '../classify/source.ts';
import { fault } from '../lib/http/fault.ts';
import { text } from '../lib/http/fields.ts';
import type { FilterName } from '../stats/dimensions.ts';
import { EVENT_NAME, Page, PagePattern, Pattern } from './input.ts';

const SOURCE_HELP = fault('no_source');
const COUNTRY_HELP = fault('no_country');

/** Any text that can be written as UTF-8. */
export const AnyText = v.pipe(
  v.string(fault('no_text')),
  v.check((value) => value.isWellFormed(), fault('no_unicode')),
);

const Source = v.pipe(
  AnyText,
  v.regex(/^[^\s/:]*$/, SOURCE_HELP),
  v.transform((host) => normalizeHost(host) ?? host.toLowerCase()),
);

/** A host name as a hit stores it. */
const Hostname = v.pipe(AnyText, v.transform(spellHost));

export const Screen = v.picklist([...SCREEN_NAMES, ''], fault('none_of', { known: SCREEN_NAMES.join(', ') }));

export const Channel = v.picklist(CHANNELS, fault('none_of', { known: CHANNELS.join(', ') }));

export const Device = v.picklist(['Desktop', 'Mobile', 'Tablet', ''], fault('no_device'));

export type TextSchema = v.GenericSchema<string, string>;

/** The schemas of the filters whose values are checked or changed. All other filters take any text as it is. */
export const VALUES: Partial<Record<FilterName, TextSchema>> = {
  page: Page,
  entry: Page,
  exit: Page,
  hostname: Hostname,
  source: Source,
  country: v.pipe(AnyText, v.regex(/^(?:[A-Za-z]{2})?$/, COUNTRY_HELP), v.toUpperCase()),
  region: v.pipe(AnyText, v.regex(/^(?:[A-Za-z]{2}-[A-Za-z0-9]{1,3})?$/, fault('no_region')), v.toUpperCase()),
  device: Device,
  screen: Screen,
  channel: Channel,
  event: text(EVENT_NAME),
};

export const SourcePattern = v.pipe(Pattern, v.toLowerCase());

/**
 * The schemas of patterns that are changed before they are used, for example to lower case. All other filters use
 * patterns as typed.
 */
export const PATTERNS: Partial<Record<FilterName, TextSchema>> = {
  page: PagePattern,
  entry: PagePattern,
  exit: PagePattern,
  hostname: SourcePattern,
  source: SourcePattern,
};
