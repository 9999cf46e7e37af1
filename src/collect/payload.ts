// The messages that browsers and servers send, and what is wrong with each field.
//
// Example: `{"site": "a.example", "url": "https://a.example/x", "event": "signup"}` is an event, and with `engaged` in
// place of `event` it is a heartbeat. mount.ts checks messages of browsers, and api/hits.ts those of servers.

import * as v from 'valibot';
import { Props, readSoundProps } from '../classify/props.ts';
import { fault } from '../lib/http/fault.ts';
import { text } from '../lib/http/fields.ts';
import { parseUrl } from '../lib/url.ts';
import { VITALS } from '../stats/vitals.ts';

const HELP = fault('no_url');

/** The URL of a page. Its text becomes a URL object here, so no other code parses it again. */
export const PageUrl = v.pipe(
  v.string(HELP),
  v.metadata({ format: 'url', pattern: '^https?://[^\\s/?#:@]' }),
  v.transform((typed) => parseUrl(typed)),
  v.check((url) => url !== null && /^https?:$/.test(url.protocol), HELP),
  v.transform((url) => url as URL),
);

const EVENT = text(120);
const LABEL = v.pipe(
  v.string(fault('no_text')),
  v.check((value) => value.isWellFormed(), fault('no_unicode')),
  v.check((value) => [...value].length <= 200, fault('too_long', { most: 200 })),
  v.metadata({ maxLength: 200 }),
);
/** The width of the browser's window in CSS pixels. */
const WIDTH = v.optional(
  v.pipe(v.number(fault('no_number')), v.safeInteger(fault('no_whole_number')), v.minValue(0, fault('negative'))),
);
const Text = v.string(fault('no_text'));

export const Message = v.strictObject({
  site: Text,
  url: PageUrl,
  referrer: v.optional(Text),
  event: v.optional(EVENT),
  label: v.optional(LABEL),
  width: WIDTH,
  props: v.optional(Props),
});
export type Message = v.InferOutput<typeof Message>;

/** A malformed width or property from a browser is left out, because the hit itself is right. */
export const BrowserMessage = v.strictObject({
  ...Message.entries,
  width: v.fallback(WIDTH, undefined),
  props: v.optional(v.pipe(v.unknown(), v.transform(readSoundProps))),
});

/** The deepest share of the page that was seen, in percent. A fraction is rounded. */
const SCROLL = v.optional(
  v.pipe(
    v.number(fault('no_number')),
    v.minValue(0, fault('out_of_bounds', { least: 0, most: 100 })),
    v.maxValue(100, fault('out_of_bounds', { least: 0, most: 100 })),
    v.transform(Math.round),
  ),
);

/**
 * The body of a heartbeat. `engaged` is the number of visible milliseconds since the last message. A malformed depth is
 * left out.
 */
export const Engagement = v.strictObject({
  site: Text,
  url: PageUrl,
  engaged: v.pipe(v.number(fault('no_number')), v.minValue(0, fault('negative')), v.finite(fault('no_number'))),
  scroll: v.fallback(SCROLL, undefined),
});
export type Engagement = v.InferOutput<typeof Engagement>;

const Value = v.fallback(v.optional(v.number()), undefined);

/**
 * The web vitals of a page, as the second script sends them. What is malformed is left out, because the other values
 * are right.
 */
export const Measurement = v.strictObject({
  site: Text,
  url: PageUrl,
  vitals: v.fallback(v.object(v.entriesFromList(VITALS, Value)), {}),
});
export type Measurement = v.InferOutput<typeof Measurement>;

/** A pageview without JavaScript: the page loads an image of one pixel, and these are the parameters in its URL. */
export const Pixel = v.strictObject({ site: Text, url: PageUrl, referrer: v.optional(Text) });
