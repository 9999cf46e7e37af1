// A page refreshes all its data together, for example once a minute. Otherwise a share could be computed from an older total.
// New data is shown only if every request succeeded. If a request fails but may succeed later, all old data stays. Failed
// requests are sent again after 5, 10, 20 and 40 s, then every 60 s.
//
// Each `useData` in api.ts calls `join` with a function that sends its request again. Pages call `useClock` for regular
// refreshes.

import { useEffect, useState } from 'preact/hooks';

/**
 * Sends a request again. The result is a function that shows the answer. The promise rejects if the request failed and
 * the old data should stay.
 */
export type Ask = () => Promise<() => void>;

/**
 * Something on the page that requests data. A shared source is requested at each refresh of the page. Any other source
 * is requested only after its last request failed.
 */
type Source = { ask: Ask; isShared: boolean };

/** The waits before failed requests are sent again. The last wait repeats. */
const RETRY_SECONDS = [5, 10, 20, 40, 60];

const sources = new Set<Source>();
/**
 * Maps each source whose last request failed to the time when its shown data was loaded. The time is undefined if the
 * source shows an error.
 */
const failing = new Map<Source, number | undefined>();
const listeners = new Set<() => void>();
let tries = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let underWay: Promise<void> | undefined;
let refreshedAt = 0;

/**
 * Requests all data of the page again, and shows all answers together. So figures and their shares always fit. If one request
 * fails and its old data should stay, all old data stays.
 */
export function refresh(): Promise<void> {
  refreshedAt = Date.now();
  underWay ??= askAll().then((answers) => {
    underWay = undefined;
    const shows = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    if (shows.length === answers.length) for (const show of shows) show();
  });
  return underWay;
}

/**
 * The time when the oldest data on the page was loaded, among data that could not be refreshed. Undefined if all data
 * could be refreshed.
 */
function notRefreshedSince(): number | undefined {
  const moments = [...failing.values()].filter((at) => at !== undefined);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

function scheduleRetry(): void {
  const isWaiting = [...failing.keys()].some(({ isShared }) => isShared);
  if (!isWaiting) {
    clearTimeout(timer);
    [timer, tries] = [undefined, 0];
  } else if (timer === undefined) {
    const seconds = RETRY_SECONDS[Math.min(tries++, RETRY_SECONDS.length - 1)] ?? 0;
    timer = setTimeout(() => {
      timer = undefined;
      if (document.hidden) scheduleRetry();
      else void refresh().then(scheduleRetry);
    }, seconds * 1_000);
  }
  for (const listener of listeners) listener();
}

export type Joined = {
  failed(shownAt: number | undefined): void;
  worked(): void;
  leave(): void;
};

export function join(ask: Ask, isShared: boolean): Joined {
  const source = { ask, isShared };
  sources.add(source);
  const worked = () => {
    if (failing.delete(source)) scheduleRetry();
  };
  return {
    failed(shownAt) {
      failing.set(source, shownAt);
      scheduleRetry();
    },
    worked,
    leave() {
      sources.delete(source);
      worked();
    },
  };
}

const askAll = (): Promise<PromiseSettledResult<() => void>[]> =>
  Promise.allSettled([...sources].filter((one) => one.isShared || failing.has(one)).map(({ ask }) => ask()));

/** Refreshes the page every `seconds` seconds while the page is visible. With 0 the page is never refreshed. */
export function useClock(seconds: number): void {
  useEffect(() => {
    if (seconds === 0) return undefined;
    const milliseconds = seconds * 1_000;
    const tick = () => {
      if (!document.hidden) void refresh();
    };
    const lookAgain = () => {
      if (Date.now() - refreshedAt >= milliseconds) tick();
    };
    refreshedAt = Date.now();
    const ticking = setInterval(tick, milliseconds);
    document.addEventListener('visibilitychange', lookAgain);
    return () => {
      clearInterval(ticking);
      document.removeEventListener('visibilitychange', lookAgain);
    };
  }, [seconds]);
}

/** The time when the oldest data on the page was loaded, if its refresh failed. Undefined if all data is current. */
export function useNotRefreshedSince(): number | undefined {
  const [since, set] = useState(notRefreshedSince);
  useEffect(() => {
    const listener = () => set(notRefreshedSince());
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return since;
}
