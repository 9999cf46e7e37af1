import * as v from 'valibot';
import type { Coded, TextCode as Text } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { Day } from '../lib/http/fields.ts';

export const DaySpans = v.array(v.strictObject({ from: Day, to: Day }));

/**
 * A sentence as data: a code and the values in the sentence. Another field of the answer has the sentence in English.
 */
export const TextCode: v.GenericSchema<Text> = v.strictObject({
  code: v.string(),
  values: v.record(v.string(), v.union([v.string(), v.number(), DaySpans, v.lazy(() => TextCodes)])),
});
export const TextCodes: v.GenericSchema<Text[]> = v.array(TextCode);

/** The notices of an answer, as English sentences and as codes. Both fields are missing if there are no notices. */
export const Notices = { notices: v.optional(v.array(v.string())), notice_codes: v.optional(TextCodes) };

/**
 * The totals-only days that are missing from the answer. An answer about several sites lacks this field, because its
 * notices name the days of each site.
 */
export const LeftOut = { left_out: v.optional(DaySpans) };

type DescribedNotices = v.InferOutput<v.StrictObjectSchema<typeof Notices & typeof LeftOut, undefined>>;

export function describeNotices(notices: readonly Coded[]): DescribedNotices {
  if (notices.length === 0) return {};
  const leftOut = notices.find(({ code, values }) => code === 'left_out' && values.site === undefined);
  return {
    notices: notices.map(inEnglish),
    notice_codes: [...notices],
    ...(leftOut ? { left_out: leftOut.values.days as DescribedNotices['left_out'] } : {}),
  };
}
