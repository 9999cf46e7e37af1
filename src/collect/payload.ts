// Defines the messages that browsers and servers send, and checks each field.
//
// Example: `{"site": "a.example", "url": "https://a.example/x", "event": "signup"}` is an event. With `engaged` in
// place of `event`, it is a heartbeat. mount.ts checks messages of browsers, and api/hits.ts checks messages of
// servers.

import * as v from 'valibot';
import { Props, readSoundProps } from '../classify/props.ts';
import { Revenue, readSoundRevenue } from '../classify/revenue.ts';
import { fault } from '../lib/http/fault.ts';
import { text } from '../lib/http/fields.ts';
import { parseUrl } from '../lib/url.ts';
import { VITALS } from '../stats/vitals.ts';

const HELP = fault('no_url');

/** The URL of a page. The schema turns its text into a URL object, so no other code needs to parse it again. */
export const PageUrl = v.pipe(
  v.string(HELP),
  v.metadata({ format: 'url', pattern: '^https?://[^\\s/?#:@]' }),
  v.transform((typed) => parseUrl(typed)),
  v.guard((url): url is URL => url !== null && /^https?:$/.test(url.protocol), HELP),
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
  revenue: v.optional(Revenue),
});
export type Message = v.InferOutput<typeof Message>;

/**
 * Returns the first part of a text that matches `most`. The pattern limits the number of characters, and matches no
 * broken character, such as one half of an emoji.
 */
const cutText = (typed: string, most: RegExp): string => typed.match(most)?.[0] ?? '';

/**
 * Reads a label. A number, as in `daybook('rated', 5)`, becomes a text, and so does `true` or `false`. Values of other
 * types are not labels.
 */
const readLabel = (typed: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof typed) ? cutText(String(typed), /\P{Cs}{1,200}/u) : undefined;

/**
 * The fields of a message from a browser. Long names and labels of events are cut here, because the script sends them
 * uncut. A malformed label, width, property or revenue is left out, because the rest of the hit is right.
 */
export const BrowserMessage = v.strictObject({
  ...Message.entries,
  event: v.optional(
    v.pipe(
      v.string(fault('no_text')),
      v.transform((typed) => cutText(typed, /\P{Cs}{1,120}/u)),
      EVENT,
    ),
  ),
  label: v.optional(v.pipe(v.unknown(), v.transform(readLabel))),
  width: v.fallback(WIDTH, undefined),
  props: v.optional(v.pipe(v.unknown(), v.transform(readSoundProps))),
  revenue: v.optional(v.pipe(v.unknown(), v.transform(readSoundRevenue))),
});

/**
 * Turns a label that is an object into fields of the message. To save bytes, the script sends the second argument of
 * `daybook()` as the label. This argument may be an object, as in `daybook('signup', { props: { plan: 'pro' } })`. Its
 * label, properties and revenue become fields of the message. All other fields of the object are left out.
 */
export function openLabel(given: object): object {
  if (!('label' in given) || typeof given.label !== 'object' || given.label === null) return given;
  const { label, ...message } = given;
  const fields = Object.entries(label).filter(([name]) => ['label', 'props', 'revenue'].includes(name));
  return { ...message, ...Object.fromEntries(fields) };
}

/** How much of the page was seen, in percent. A fraction is rounded. */
const SCROLL = v.optional(
  v.pipe(
    v.number(fault('no_number')),
    v.minValue(0, fault('out_of_bounds', { least: 0, most: 100 })),
    v.maxValue(100, fault('out_of_bounds', { least: 0, most: 100 })),
    v.transform(Math.round),
  ),
);

/**
 * The body of a heartbeat. `engaged` says for how many milliseconds the page was visible since the last message. A
 * malformed depth is left out.
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
 * The web vitals of a page, as the script of web vitals sends them (src/tracker/vitals.ts). A malformed value is left
 * out, because the other values may be right.
 */
export const Measurement = v.strictObject({
  site: Text,
  url: PageUrl,
  vitals: v.fallback(v.object(v.entriesFromList(VITALS, Value)), {}),
});
export type Measurement = v.InferOutput<typeof Measurement>;

/**
 * A pageview without JavaScript. The page loads an image of one pixel, and these are the parameters in the image's URL.
 */
export const Pixel = v.strictObject({ site: Text, url: PageUrl, referrer: v.optional(Text) });
