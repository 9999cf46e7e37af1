import type { Clock } from '../lib/time.ts';
import { makeFamilies } from './families.ts';

/** The metrics of the server. A label never names a site, a person or the path of a request. */
export type Meters = ReturnType<typeof makeMeters>;

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
const ROWS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

export function makeMeters(clock: Clock) {
  const { counter, histogram, gauge, gaugeBy, prepare, text } = makeFamilies();
  const commits = histogram('daybook_commit_seconds', 'Seconds to write and sync hits.', SECONDS);
  const queries = counter('daybook_questions_total', 'Queries for statistics, by outcome.', ['outcome']);
  const posted = counter(
    'daybook_webhook_messages_total',
    'Tries to send a message to a webhook, a chat or a phone, by outcome.',
    ['outcome'],
  );
  return {
    posted: (outcome: string) => posted.add([outcome]),
    accepted: counter('daybook_hits_accepted_total', 'Hits that are on the disk.'),
    dropped: counter('daybook_hits_dropped_total', 'Hits that were not counted, by reason.', ['reason']),
    rows: histogram('daybook_commit_rows', 'Number of hits written at once.', ROWS),
    answers: counter('daybook_http_answers_total', 'HTTP answers, by the pattern of the path.', [
      'route',
      'method',
      'status',
    ]),
    commit<Result>(work: () => Result): Result {
      const start = clock.tick();
      try {
        return work();
      } finally {
        commits.observe((clock.tick() - start) / 1000);
      }
    },
    async countQuery<Result>(asked: Promise<Result>): Promise<Result> {
      try {
        const answer = await asked;
        queries.add(['answered']);
        return answer;
      } catch (error) {
        queries.add(['failed']);
        throw error;
      }
    },
    gauge,
    gaugeBy,
    prepare,
    text,
  };
}
