// A page refreshes all its data together, for example once a minute. Otherwise a share could be computed from new
// visitors and an older total. So new data is shown only when all requests are answered. If one request fails but may
// succeed later, all old data stays. After a failure, the page is refreshed again after 5, 10, 20 and 40 s, then every
// 60 s.
//
// A source is a part of the page that shows an answer of the API, such as a panel. Each use of `useData` (api.ts) is a
// source: it calls `join` with a function that sends its request again. Pages call `useRefreshEvery` for regular
// refreshes.

import { useEffect, useState } from 'preact/hooks';
import { type Now, useNow } from './clock.ts';

/**
 * Sends a request again. The promise resolves to a function that shows the answer. The promise rejects if the request
 * failed and the old data should stay on the page.
 */
export type Ask = () => Promise<() => void>;

/**
 * A part of the page that requests data, such as a panel. If `isShared` is true, each refresh of the page requests the
 * part's data again. Otherwise the part has its own timer, or keeps its first data. A refresh of the page then requests
 * the part's data only if the part's last request failed.
 */
type Source = { ask: Ask; isShared: boolean };

/**
 * How long the page waits after a failed refresh, or a failed stream (stream.ts), until it tries again. The last wait
 * repeats.
 */
export const RETRY_SECONDS = [5, 10, 20, 40, 60];

const sources = new Set<Source>();
/**
 * What is known about failed requests. `shownAt` is the time when the data that is still shown was loaded. `message` is
 * set if a part of the page has no data because the server cannot be reached. If a part shows its own error, `shownAt`
 * and `message` are missing.
 */
type Failure = { shownAt?: number; message?: string };

/** The sources whose last request failed. */
const failing = new Map<Source, Failure>();
/** The sources that show an older answer from memory (answers.ts), until `refreshThem` requests new answers. */
const soon = new Set<Source>();
const listeners = new Set<() => void>();
let tries = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let underWay: Promise<void> | undefined;
let refreshedAt = 0;

/**
 * Requests all data of the page again, and shows all answers together, so that figures and their shares match. If one
 * request fails but may succeed later, all old data stays.
 */
export function refresh(now: Now): Promise<void> {
  refreshedAt = now();
  underWay ??= askTogether([...sources].filter((one) => one.isShared || failing.has(one))).then(() => {
    underWay = undefined;
  });
  return underWay;
}

/**
 * Sums up the failures of a page. `shownAt` is the time of the oldest data that could not be refreshed. `message` is
 * set if a part of the page has no data because the server cannot be reached.
 */
function findTrouble(): Failure {
  const failures = [...failing.values()];
  const moments = failures.flatMap(({ shownAt }) => shownAt ?? []);
  const message = failures.map((one) => one.message).find((one) => one !== undefined);
  return {
    ...(moments.length > 0 && { shownAt: Math.min(...moments) }),
    ...(message !== undefined && { message }),
  };
}

function scheduleRetry(now: Now): void {
  const isWaiting = [...failing.keys()].some(({ isShared }) => isShared);
  if (!isWaiting) {
    clearTimeout(timer);
    [timer, tries] = [undefined, 0];
  } else if (timer === undefined) {
    const seconds = RETRY_SECONDS[Math.min(tries++, RETRY_SECONDS.length - 1)] ?? 0;
    timer = setTimeout(() => {
      timer = undefined;
      if (document.hidden) scheduleRetry(now);
      else void refresh(now).then(() => scheduleRetry(now));
    }, seconds * 1_000);
  }
  for (const listener of listeners) listener();
}

export type Joined = {
  /** Requests the data again in a moment, together with all other parts of the page that call this function now. */
  refreshSoon(): void;
  failed(failure: Failure): void;
  worked(): void;
  leave(): void;
};

export function join(ask: Ask, isShared: boolean, now: Now): Joined {
  const source = { ask, isShared };
  sources.add(source);
  const worked = () => {
    if (failing.delete(source)) scheduleRetry(now);
  };
  return {
    refreshSoon() {
      soon.add(source);
      if (soon.size === 1) setTimeout(refreshThem);
    },
    failed(failure) {
      failing.set(source, failure);
      scheduleRetry(now);
    },
    worked,
    leave() {
      sources.delete(source);
      soon.delete(source);
      worked();
    },
  };
}

/**
 * Requests the data of all sources in `asked`, and shows all answers together. If the promise of one source rejects, no
 * answer is shown, and all sources keep their old data.
 */
async function askTogether(asked: readonly Source[]): Promise<void> {
  const answers = await Promise.allSettled(asked.map(({ ask }) => ask()));
  const shows = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (shows.length === answers.length) for (const show of shows) show();
}

/** Requests new answers for all sources in `soon` together. Until then, these sources show older answers. */
function refreshThem(): void {
  void askTogether([...soon]);
  soon.clear();
}

/**
 * Refreshes the page every `seconds` seconds while the page is visible. With 0, the page is refreshed only after a
 * failed request.
 */
export function useRefreshEvery(seconds: number): void {
  const now = useNow();
  useEffect(() => {
    if (seconds === 0) return undefined;
    const milliseconds = seconds * 1_000;
    const tick = () => {
      if (!document.hidden) void refresh(now);
    };
    const lookAgain = () => {
      if (now() - refreshedAt >= milliseconds) tick();
    };
    refreshedAt = now();
    const ticking = setInterval(tick, milliseconds);
    document.addEventListener('visibilitychange', lookAgain);
    return () => {
      clearInterval(ticking);
      document.removeEventListener('visibilitychange', lookAgain);
    };
  }, [seconds, now]);
}

/** Returns the failures of the page, as `findTrouble` sums them up. The result is empty if all data is current. */
export function useTrouble(): Failure {
  const [trouble, set] = useState(findTrouble);
  useEffect(() => {
    const listener = () => set(findTrouble());
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return trouble;
}
