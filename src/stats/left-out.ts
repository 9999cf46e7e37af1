/** How answers say which days are not in them. The dashboard reads the days there, as answers have no other word for them: test/stats/left-out.test.ts. */
const REASON = 'because only daily totals are kept of them';
const SENTENCE = new RegExp(`^Not in this answer, ${REASON}: (.*)\\.$`);

/** `days` are those of `dayRanges`. */
export const leftOutNotice = (place: string, days: string): string => `Not in ${place}, ${REASON}: ${days}.`;

/** Whether anything is left out, be it of one site among several. */
export const isAnyLeftOut = (notices: readonly string[] = []): boolean =>
  notices.some((notice) => notice.includes(REASON));

/** The days that are not in the answer with these notices; both ends belong to them. */
export const daysLeftOut = (notices: readonly string[] = []): { from: string; to: string }[] =>
  notices.flatMap((notice) =>
    (SENTENCE.exec(notice)?.[1]?.split(', ') ?? []).map((days) => {
      const [from = '', to = from] = days.split(' to ');
      return { from, to };
    }),
  );
