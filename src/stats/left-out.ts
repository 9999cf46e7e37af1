import type { Lack } from './measured.ts';

/** How answers say which days are not in them. The dashboard reads the days there, as answers have no other word for them: test/stats/left-out.test.ts. */
const REASON = 'because only daily totals are kept of them';
const SENTENCE = new RegExp(`^Not in this answer, ${REASON}: (.*)\\.$`);
/** The domain of one site among several stands before it. Other notices give the same reason for something else. */
const ANY_SENTENCE = new RegExp(`(?:^|: )Not in .*, ${REASON}: `);

/** `days` are those of `dayRanges`. */
export const leftOutNotice = (place: string, days: string): string => `Not in ${place}, ${REASON}: ${days}.`;

const NOT_IMPORTED = 'because their import did not have it';
const LACKS: Record<Lack['what'], string> = {
  bounces: 'The bounce rate of these days is not known',
  seconds: 'The visit duration of these days is not known',
  rows: 'Not in this answer',
  page: 'Goals of pages are not known of these days',
  event: 'Goals of events are not known of these days',
};

/** How answers say what an import did not have. */
export const lackNotice = (what: Lack['what'], days: string): string => `${LACKS[what]}, ${NOT_IMPORTED}: ${days}.`;

/** Whether anything is not known because an import did not have it. */
export const isAnyUnknown = (notices: readonly string[] = []): boolean =>
  notices.some((notice) => notice.includes(NOT_IMPORTED));

/** Whether anything is left out, be it of one site among several. */
export const isAnyLeftOut = (notices: readonly string[] = []): boolean =>
  notices.some((notice) => ANY_SENTENCE.test(notice));

/** The days that are not in the answer with these notices; both ends belong to them. */
export const daysLeftOut = (notices: readonly string[] = []): { from: string; to: string }[] =>
  notices.flatMap((notice) =>
    (SENTENCE.exec(notice)?.[1]?.split(', ') ?? []).map((days) => {
      const [from = '', to = from] = days.split(' to ');
      return { from, to };
    }),
  );
