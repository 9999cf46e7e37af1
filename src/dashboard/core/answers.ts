// The last answers of the API stay in memory. So a view that was shown before appears at once, for example after Back.
// Then the page requests the answers again, and shows the new answers.
//
// Invariant: at most 200 answers stay in memory, which is about ten views. If the user changes anything, such as an
// exclusion, all answers are forgotten, because any figure may have changed.
//
// The HTML of a site's page already contains some answers. The page does not request these answers in its first 10 s.
//
// main.tsx calls `keepPageAnswers` once. api.ts calls `keepAnswer` and `findAnswer`.

const MOST = 200;

/**
 * For this time after the script began, answers from the HTML of the page count as new. So these answers are not
 * requested again. Even on a slow device, all first requests happen within this time.
 */
const FIRST_VIEW_MS = 10_000;

/** `at` is the time of the request in milliseconds since 1970. */
export type Kept = { data: unknown; at: number };

const kept = new Map<string, Kept>();
/** The answers that came with the HTML of the page. */
const first = new Set<Kept>();

/** Stores the answers from the HTML of the page in memory. `now` is the time when the script began. */
export function keepPageAnswers(now: number): void {
  for (const [url, data] of Object.entries(readFirst())) {
    const one = { data, at: now };
    first.add(one);
    keepAnswer(url, one);
  }
}

/** Stores an answer in memory. If this makes more than `MOST` answers, the oldest answer is removed. */
export function keepAnswer(url: string, answer: Kept): void {
  kept.delete(url);
  kept.set(url, answer);
  const [oldest] = kept.keys();
  if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
}

export const findAnswer = (url: string): Kept | undefined => kept.get(url);

export const forgetAnswers = (): void => kept.clear();

/**
 * True if an answer came with the HTML of the page, and the script began at most 10 s ago. Such an answer is still new,
 * so it is not requested again.
 */
export const isFromPage = (answer: Kept, now: number): boolean => first.has(answer) && now - answer.at < FIRST_VIEW_MS;

function readFirst(): Record<string, unknown> {
  return JSON.parse(document.getElementById('answers')?.textContent || '{}');
}
