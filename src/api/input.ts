// Schemas of values that several routes take: pages, patterns, goals, whole numbers, and abilities (what a token may
// do).
//
// The schemas of pages change a page to the form in which hits store it. Otherwise a filter would not find the hits.
// For example, the page `/Über uns` becomes `/%C3%9Cber%20uns`, as a browser writes it. In a pattern, `*` stands for
// any text, as in `/blog/*`. A pattern has at most 16 stars. Filters, goals, funnels and tokens use these schemas.

import * as v from 'valibot';
import { keepParameters, readPagePattern, readStoredPage } from '../classify/page.ts';
import { PropertyName } from '../classify/props.ts';
import { fault } from '../lib/http/fault.ts';
import { text } from '../lib/http/fields.ts';
import { findPatternFault, isPattern, LONGEST_PATTERN } from '../lib/pattern.ts';
import { LONGEST_PROPERTY_VALUE } from '../stats/properties.ts';
import { ABILITIES } from '../store/people/tokens.ts';
import type { Site } from '../store/sites/sites.ts';

export const EVENT_NAME = 120;

export const Page = v.pipe(
  v.string(fault('no_text')),
  v.check((value) => value.startsWith('/'), fault('no_path')),
  v.check((value) => value.isWellFormed(), fault('no_unicode')),
  v.metadata({ pattern: '^/' }),
  v.transform((value) => readStoredPage(value) ?? '/'),
);

export const whole = (least: number, most: number, help: string) =>
  v.pipe(
    v.string(),
    v.check((typed) => /^\d{1,15}$/.test(typed) && Number(typed) >= least && Number(typed) <= most, help),
    v.metadata({ type: 'integer', minimum: least, maximum: most }),
    v.transform(Number),
  );

/** Makes the schema of a list of names, joined by commas. A name that is given twice counts once. */
export function listOf<Name extends string>(names: readonly Name[]) {
  const name = `(?:${names.join('|')})`;
  return v.pipe(
    v.string(),
    // No comma follows the last name.
    v.regex(new RegExp(`^(?:${name}(?:,(?!$)|$))+$`), fault('no_names_of', { known: names.join(', ') })),
    v.transform((typed) => [...new Set(typed.split(','))] as Name[]),
  );
}

/** An id in a path has at most 15 digits, because a JavaScript number with 15 digits is always exact. */
export const LARGEST_ID = 999_999_999_999_999;

export const GoalId = whole(1, LARGEST_ID, fault('no_goal'));

export const Pattern = v.pipe(
  v.string(fault('no_text')),
  v.check((value) => value.isWellFormed(), fault('no_unicode')),
  v.check(
    (value) => findPatternFault(value) === undefined,
    ({ input }) => findPatternFault(input) ?? '',
  ),
  v.metadata({ pattern: '^[^*]*(?:\\*[^*]*){0,16}$', minLength: 1, maxLength: LONGEST_PATTERN }),
);

/**
 * A pattern of pages, such as `/über/*`. The pattern is encoded in the way in which browsers encode paths, so that the
 * pattern matches stored pages. The stars stay as they are.
 */
export const PagePattern = v.pipe(Pattern, v.transform(readPagePattern));

const TARGET_HELP = fault('no_path_pattern');

/** The page of a goal or of a funnel step, or a pattern of pages. */
export const TargetPage = v.pipe(
  v.string(fault('no_text')),
  v.check((value) => /^[/*]/.test(value), TARGET_HELP),
  v.check((value) => value.isWellFormed(), fault('no_unicode')),
  v.check(
    (value) => !isPattern(value) || findPatternFault(value) === undefined,
    ({ input }) => findPatternFault(input) ?? '',
  ),
  v.metadata({ pattern: '^(?=[/*])[^*]*(?:\\*[^*]*){0,16}$' }),
  v.transform((value) => (isPattern(value) ? readPagePattern(value) : (readStoredPage(value) ?? '/'))),
);

/** A property that a hit must have to reach the target. The value may be a pattern. */
export const TargetProperty = v.strictObject(
  {
    name: PropertyName,
    value: v.pipe(
      text(LONGEST_PROPERTY_VALUE),
      v.check(
        (value) => !isPattern(value) || findPatternFault(value) === undefined,
        ({ input }) => findPatternFault(input) ?? '',
      ),
    ),
  },
  fault('no_object'),
);

/** How much of the page a visitor must have seen at least, in percent. */
export const LeastScroll = v.pipe(
  v.number(fault('no_whole_number')),
  v.integer(fault('no_whole_number')),
  v.minValue(1, fault('out_of_bounds', { least: 1, most: 100 })),
  v.maxValue(100, fault('out_of_bounds', { least: 1, most: 100 })),
);

const TYPE_HELP = fault('no_target_type');
export const TargetType = v.picklist(['page', 'event'], TYPE_HELP);

const PAGE_TARGET = { type: v.literal('page'), value: TargetPage, property: v.optional(TargetProperty) } as const;
const EventTarget = v.strictObject({
  type: v.literal('event'),
  value: text(EVENT_NAME),
  property: v.optional(TargetProperty),
});

/** The page or event with which a visitor reaches a step of a funnel. */
export const Target = v.variant('type', [v.strictObject(PAGE_TARGET), EventTarget], TYPE_HELP);

/** The page or event with which a visitor reaches a goal. For a page, the goal may also require a depth. */
export const GoalTarget = v.variant(
  'type',
  [v.strictObject({ ...PAGE_TARGET, scroll: v.optional(LeastScroll) }), EventTarget],
  TYPE_HELP,
);

/** Removes from a page the parameters that the site does not store. Otherwise the target would never match. */
export const fitTarget = <One extends v.InferOutput<typeof GoalTarget>>(site: Site, target: One): One =>
  target.type === 'page' && !isPattern(target.value)
    ? { ...target, value: keepParameters(target.value, site.page_parameters) }
    : target;

/** The depth that a goal requires, in the form that answers have. */
const scroll = v.optional(v.pipe(v.number(), v.integer()));

/**
 * A target in the form that answers have. Its value needs no check here, because the value was checked before it was
 * stored.
 */
export const TargetAnswer = v.strictObject({
  type: TargetType,
  value: v.string(),
  property: v.optional(v.strictObject({ name: v.string(), value: v.string() })),
});

export const GoalTargetAnswer = v.strictObject({ ...TargetAnswer.entries, scroll });

export const Ability = v.picklist(ABILITIES, fault('no_ability'));
export type Ability = v.InferOutput<typeof Ability>;
