import * as v from 'valibot';
import type { Coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { Day } from '../lib/http/fields.ts';

export const DaySpans = v.array(v.strictObject({ from: Day, to: Day }));

/** A sentence as data: what it says by its code, and the values in it. The field beside it has it in English. */
export const TextCode = v.strictObject({
  code: v.string(),
  values: v.record(v.string(), v.union([v.string(), v.number(), DaySpans])),
});
export const TextCodes = v.array(TextCode);

/** There only where something is left out, or was counted otherwise. */
export const Notices = { notices: v.optional(v.array(v.string())), notice_codes: v.optional(TextCodes) };

/** The days that are not in the answer, because only daily totals are kept of them. Several sites have theirs in the notices. */
export const LeftOut = { left_out: v.optional(DaySpans) };

type DescribedNotices = v.InferOutput<v.StrictObjectSchema<typeof Notices & typeof LeftOut, undefined>>;

/** Notices as answers have them. */
export function describeNotices(notices: readonly Coded[]): DescribedNotices {
  if (notices.length === 0) return {};
  const leftOut = notices.find(({ code, values }) => code === 'left_out' && values.site === undefined);
  return {
    notices: notices.map(inEnglish),
    notice_codes: [...notices],
    ...(leftOut ? { left_out: leftOut.values.days as DescribedNotices['left_out'] } : {}),
  };
}
