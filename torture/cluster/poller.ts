/** How long a person waits for an answer, and no longer: the server itself gives up a request that is idle for as long. */
const PATIENCE_MS = 35_000;

/** So long it rests between two rounds of its questions. */
const REST_MS = 250;

type Reply = { status: number; data: unknown };
/** Status 0 is a connection that broke. */
export type Ask = (site: number, path: string) => Promise<Reply>;

type Figures = { visitors: number; pageviews: number };
type Rows = { rows: { value: string; visitors: number }[] };

/** What is asked: of days that are over the answers must stay; of others no figure may become smaller. */
type Question = { site: number; path: string; grows: boolean };

/** The figures of an answer, by name. */
function figuresOf(data: unknown): Map<string, number> {
  const { visitors, pageviews } = data as Figures;
  if (visitors !== undefined) return new Map(Object.entries({ visitors, pageviews }));
  return new Map((data as Rows).rows.map((row) => [row.value, row.visitors]));
}

/** What the primary was when it was asked, so that an answer that it could not give is known from one that it did not. */
type State = () => { isUp: boolean; starts: number };

export async function askAt(url: string, token: string, method = 'GET', body?: object): Promise<Reply> {
  try {
    const answer = await fetch(url, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    return { status: answer.status, data: text === '' ? undefined : JSON.parse(text).data };
  } catch {
    return { status: 0, data: undefined };
  }
}

/** Asks again and again, and notes what is wrong with an answer. */
export function poller(ask: Ask, state: State, questions: () => readonly Question[]) {
  const known = new Map<string, Map<string, number>>();
  const faults: string[] = [];
  const counts = new Map<number, number>();
  let slowestMs = 0;
  let isOver = false;

  /** What is wrong with figures after those that were shown before. */
  function compared({ site, path, grows }: Question, figures: Map<string, number>): void {
    const key = `${site} ${path}`;
    const before = known.get(key);
    for (const [name, value] of before ?? []) {
      const now = figures.get(name) ?? 0;
      if (grows ? now < value : now !== value) faults.push(`${key}: ${name} was ${value}, and is ${now}`);
    }
    if (before && !grows && figures.size !== before.size)
      faults.push(`${key}: ${figures.size} figures, not ${before.size}`);
    const most = [...figures].map(([name, value]): [string, number] => [name, Math.max(value, before?.get(name) ?? 0)]);
    known.set(key, new Map([...(before ?? []), ...most]));
  }

  async function once(question: Question): Promise<void> {
    const before = state();
    const start = performance.now();
    const { status, data } = await ask(question.site, question.path);
    const after = state();
    const wasUp = before.isUp && after.isUp && before.starts === after.starts;
    if (!wasUp && status === 0) return;
    const tookMs = performance.now() - start;
    slowestMs = Math.max(slowestMs, tookMs);
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (status === 200) compared(question, figuresOf(data));
    else if (status !== 503) faults.push(`${question.path}: ${status} after ${tookMs.toFixed(0)} ms`);
  }

  async function run(): Promise<void> {
    while (!isOver) {
      for (const question of questions()) if (!isOver) await once(question);
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
    }
  }

  const running = run();
  return {
    /** Every wrong answer so far. */
    faults,
    told: () => `answers ${JSON.stringify(Object.fromEntries(counts))}, the slowest after ${slowestMs.toFixed(0)} ms`,
    async end(): Promise<void> {
      isOver = true;
      await running;
    },
  };
}
