import { useEffect, useState } from 'preact/hooks';

/** Asks again, and gives what shows the answer. Rejects where none came and what is shown is to stay. */
export type Ask = () => Promise<() => void>;

/** What asks with all others; or only by itself, but with them after an error. */
type Source = { ask: Ask; isShared: boolean };

/** How soon what failed is asked for again: each time a little later, and at last once a minute. */
const RETRY_SECONDS = [5, 10, 20, 40, 60];

const sources = new Set<Source>();
/** Those whose last request failed, with the moment of what they still show; undefined where they show an error. */
const failing = new Map<Source, number | undefined>();
const listeners = new Set<() => void>();
let tries = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let underWay: Promise<void> | undefined;
let refreshedAt = 0;

/** The moment of the oldest thing on the page that could not be asked for again. */
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

/** Takes part in what refreshes the page. */
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

/**
 * Asks for everything that the page shows, and shows it all at once, so that shares fit their figures. If something that is
 * shown does not come again, all stays as it was.
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

/** The one clock of a page: everything on it is asked for again every so many seconds, as long as somebody can see it. */
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

/** Since when something on the page could not be asked for again; undefined where all is of now. */
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
