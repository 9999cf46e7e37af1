// Schemas of fields that several requests have: texts, days, time zones, domains and e-mail addresses.
//
// Invariant: an accepted value has only one spelling. Domains are in ASCII and lower case, and time zones have their
// canonical name. The message of a schema is a code with values. src/lang has a sentence for each code.
//
// Example: `v.parse(Domain, 'Bücher.example')` gives `xn--bcher-kva.example`. The schemas of src/api, src/forms,
// src/cli and other folders use these fields.

import { domainToASCII } from 'node:url';
import * as v from 'valibot';
import { isDay } from '../time.ts';
import { findCanonicalZone } from '../zone.ts';
import { fault } from './fault.ts';

/**
 * Makes the schema of a text of 1 to `longest` characters. Half of a surrogate pair (the two units of an emoji) is
 * refused, because it cannot be written as UTF-8.
 */
export const text = (longest: number) =>
  v.pipe(
    v.string(fault('no_text')),
    v.check((value) => value.isWellFormed(), fault('no_unicode')),
    v.check((value) => value !== '', fault('empty')),
    v.check((value) => [...value].length <= longest, fault('too_long', { most: longest })),
    v.metadata({ minLength: 1, maxLength: longest }),
  );

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;
const INSTANT_HELP = fault('no_instant');

export const Id = v.pipe(v.number(), v.integer(), v.minValue(1));
export const PositiveId = v.pipe(
  v.number(fault('no_number')),
  v.safeInteger(fault('no_whole_number')),
  v.minValue(1, fault('not_positive')),
);
export const Time = v.pipe(v.string(), v.isoTimestamp(), v.metadata({ format: 'date-time' }));
export const Day = v.pipe(v.string(fault('no_day')), v.check(isDay, fault('no_day')), v.metadata({ format: 'date' }));

/** Turns a moment with any UTC offset into whole seconds since 1970. Fractions of a second are cut off. */
export const Instant = v.pipe(
  v.string(INSTANT_HELP),
  v.check((typed) => INSTANT.test(typed) && !Number.isNaN(Date.parse(typed)), INSTANT_HELP),
  v.metadata({ format: 'date-time' }),
  v.transform((typed) => Math.floor(Date.parse(typed) / 1000)),
);

const ZONE_HELP = fault('no_time_zone');

/**
 * The name of a time zone, such as Europe/Berlin. An offset such as +02:00 is refused, because it ignores summer time.
 */
export const TimeZone = v.pipe(
  v.string(ZONE_HELP),
  v.check((typed) => findCanonicalZone(typed) !== undefined, ZONE_HELP),
  v.metadata({ format: 'time-zone', minLength: 1, maxLength: 64 }),
  v.transform((typed) => findCanonicalZone(typed) ?? ''),
);

export const Switch = v.boolean(fault('no_switch'));

export const LONGEST_DOMAIN = 253;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * Reads a host name as ASCII in lower case, so that each name has one spelling. Returns undefined for all other texts,
 * such as an IP address, and for a name without a dot except localhost.
 */
export function readDomain(typed: string): string | undefined {
  // A text longer than any domain is refused first, because domainToASCII would take long for it (lib/url.ts).
  if (typed.length > LONGEST_DOMAIN || /[^\p{L}\p{M}\p{N}.\-\u200c\u200d]/u.test(typed)) return undefined;
  const domain = domainToASCII(typed);
  if (domain === 'localhost') return domain;
  const labels = domain.split('.');
  const isName = labels.length > 1 && domain.length <= LONGEST_DOMAIN && labels.every((label) => LABEL.test(label));
  return isName && !/^\d+$/.test(labels.at(-1) ?? '') ? domain : undefined;
}

const DOMAIN_HELP = fault('no_domain');

export const Domain = v.pipe(
  v.string(DOMAIN_HELP),
  v.check((typed) => readDomain(typed) !== undefined, DOMAIN_HELP),
  v.metadata({ format: 'idn-hostname', minLength: 1, maxLength: LONGEST_DOMAIN }),
  v.transform((typed) => readDomain(typed) ?? ''),
);

const EMAIL = /^(?=[^@]{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@([A-Za-z0-9.-]+)$/;
const EMAIL_HELP = fault('no_email');

function isEmail(typed: string): boolean {
  const [, domain] = EMAIL.exec(typed) ?? [];
  return typed.length <= 254 && domain !== undefined && readDomain(domain) !== undefined;
}

/**
 * One e-mail address in ASCII. A character that could begin another header or recipient is refused. Otherwise a form
 * could send mails to other people.
 */
export const Email = v.pipe(
  v.string(EMAIL_HELP),
  v.check(isEmail, EMAIL_HELP),
  v.metadata({ format: 'email', pattern: EMAIL.source, maxLength: 254 }),
  v.transform((typed) => typed.toLowerCase()),
);
