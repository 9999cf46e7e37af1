import * as v from 'valibot';
import { pageOf } from '../classify/page.ts';
import { text } from '../lib/fields.ts';

export const EVENT_NAME = 120;

export const Page = v.pipe(
  v.string('Must be text.'),
  v.check((value) => value.startsWith('/'), 'Must be a path that begins with "/".'),
  v.check((value) => value.isWellFormed(), 'Must be well-formed Unicode.'),
  v.metadata({ pattern: '^/' }),
  v.transform((value) => pageOf(value) ?? '/'),
);

export const TYPE_HELP = 'Must be "page" or "event".';

/** What a goal or a funnel's step waits for. */
export const Target = v.variant(
  'type',
  [
    v.strictObject({ type: v.literal('page'), value: Page }),
    v.strictObject({ type: v.literal('event'), value: text(EVENT_NAME) }),
  ],
  TYPE_HELP,
);

/** The same on its way out, where it has been checked. */
export const TargetAnswer = { type: v.picklist(['page', 'event']), value: v.string() };
