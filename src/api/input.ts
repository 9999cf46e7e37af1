import * as v from 'valibot';
import { readPage, readPagePattern } from '../classify/page.ts';
import { fault } from '../lib/http/fault.ts';
import { text } from '../lib/http/fields.ts';
import { faultInPattern, isPattern, LONGEST_PATTERN } from '../lib/pattern.ts';
import { ABILITIES } from '../store/people/tokens.ts';

export const EVENT_NAME = 120;

export const Page = v.pipe(
  v.string(fault('no_text')),
  v.check((value) => value.startsWith('/'), fault('no_path')),
  v.check((value) => value.isWellFormed(), fault('no_unicode')),
  v.metadata({ pattern: '^/' }),
  v.transform((value) => readPage(value) ?? '/'),
);

/** A whole number as it is written in a path or a query. */
export const whole = (least: number, most: number, help: string) =>
  v.pipe(
    v.string(),
    v.check((typed) => /^\d{1,15}$/.test(typed) && Number(typed) >= least && Number(typed) <= most, help),
    v.metadata({ type: 'integer', minimum: least, maximum: most }),
    v.transform(Number),
  );

/** An id in an address has at most 15 digits. */
const LARGEST_ID = 999_999_999_999_999;

/** An id of a goal as it is written in a query. */
export const GoalId = whole(1, LARGEST_ID, fault('no_goal'));

export const Pattern = v.pipe(
  v.string(fault('no_text')),
  v.check((value) => value.isWellFormed(), fault('no_unicode')),
  v.check(
    (value) => faultInPattern(value) === undefined,
    ({ input }) => faultInPattern(input) ?? '',
  ),
  v.metadata({ pattern: '^[^*]*(?:\\*[^*]*){0,16}$', minLength: 1, maxLength: LONGEST_PATTERN }),
);

/** A pattern of pages, with all but its stars as a browser writes it in a path. */
export const PagePattern = v.pipe(Pattern, v.transform(readPagePattern));

const TARGET_HELP = fault('no_path_pattern');

/** The page of a goal or step, or a pattern of pages. */
const TargetPage = v.pipe(
  v.string(fault('no_text')),
  v.check((value) => /^[/*]/.test(value), TARGET_HELP),
  v.check((value) => value.isWellFormed(), fault('no_unicode')),
  v.check(
    (value) => !isPattern(value) || faultInPattern(value) === undefined,
    ({ input }) => faultInPattern(input) ?? '',
  ),
  v.metadata({ pattern: '^(?=[/*])[^*]*(?:\\*[^*]*){0,16}$' }),
  v.transform((value) => (isPattern(value) ? readPagePattern(value) : (readPage(value) ?? '/'))),
);

const TYPE_HELP = fault('no_target_type');
export const TargetType = v.picklist(['page', 'event'], TYPE_HELP);

/** What a goal or a funnel's step waits for. */
export const Target = v.variant(
  'type',
  [
    v.strictObject({ type: v.literal('page'), value: TargetPage }),
    v.strictObject({ type: v.literal('event'), value: text(EVENT_NAME) }),
  ],
  TYPE_HELP,
);

/** The same on its way out, where it has been checked. */
export const TargetAnswer = v.strictObject({ type: TargetType, value: v.string() });

/** What a token may do. */
export const Ability = v.picklist(ABILITIES, fault('no_ability'));
export type Ability = v.InferOutput<typeof Ability>;
