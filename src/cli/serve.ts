import { randomBytes as random } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { buildApp } from '../app.ts';
import { dashboard } from '../assets/dashboard.ts';
import { script } from '../assets/script.ts';
import { threadCode } from '../assets/thread.ts';
import { passwords } from '../auth/passwords.ts';
import { quotas } from '../auth/quotas.ts';
import { setupLink } from '../auth/setup.ts';
import { buildCollector } from '../collect/collector.ts';
import { type Config, OPTION_NAMES, ownUrl, withPort } from '../config.ts';
import { examiner } from '../doctor/examiner.ts';
import { startJobs } from '../jobs/jobs.ts';
import { siteMails } from '../jobs/mail.ts';
import type { CrawlQuestion } from '../ledger/crawls.ts';
import { logTo } from '../lib/log.ts';
import { seconds } from '../lib/time.ts';
import { buildPost } from '../mail/post.ts';
import { meters as buildMeters } from '../metrics/meters.ts';
import { addGauges } from '../metrics/mount.ts';
import { type Listening, listen } from '../server.ts';
import { type Ask, asker } from '../stats/ask.ts';
import { openStore } from '../store/open.ts';
import type { Db } from '../store/statements.ts';
import { findUpkeep, noteUpkeep } from '../store/upkeep.ts';
import { hasUsers } from '../store/users.ts';
import { pool } from '../threads/pool.ts';
import { type Command, clock, type Invocation } from './command.ts';

const ROOM_BYTES = 100 * 1024 * 1024;

/** No report may take longer. */
const PATIENCE_MS = 10_000;
const MOST_THREADS = 4;

/** A link that signs in whoever has it; only the demo has one. */
type Entry = { secret: string; userId: number };

/** For commands, which do not see the server's flags. */
function noteSettings(db: Db, { baseUrl, smtpUrl }: Config): void {
  const told = { 'base-url': baseUrl, 'mail-host': smtpUrl === undefined ? '' : new URL(smtpUrl).host };
  for (const [name, words] of Object.entries(told) as [keyof typeof told, string][]) {
    if (findUpkeep(db, name)?.words !== words) noteUpkeep(db, name, { at: seconds(clock), fine: true, words });
  }
}

/** Runs until it is stopped. */
export async function serve({ config: given, io }: Invocation, entry?: Entry): Promise<void> {
  const log = logTo((line) => io.explain(line.trimEnd()), clock.now);
  const onUpdate = (from: number, to: number) => log('the file is copied and brought up to date', { from, to });
  const store = openStore(given.db, { serve: true, onUpdate });
  const { db } = store;
  try {
    const post = buildPost(given, clock, log);
    const meters = given.metricsToken === undefined ? undefined : buildMeters(clock);
    const collector = buildCollector({ config: given, db, clock, random, log, meters });
    if (meters) addGauges(meters, { db, path: store.path, clock, waiting: collector.waiting });
    const [day, web, code] = await Promise.all([script(), dashboard(), threadCode()]);
    const threads = pool({
      code,
      path: store.path,
      size: Math.min(availableParallelism(), MOST_THREADS),
      patience: PATIENCE_MS,
      log,
    });
    const setup = hasUsers(db) ? undefined : setupLink(random, clock);
    const question = asker(threads);
    const ask: Ask = meters ? (asked) => meters.question(question(asked)) : question;
    let config = given;
    let listening: Listening | undefined;
    const health = {
      accepting: () => listening?.accepting() ?? false,
      async hasRoom() {
        const { bavail, bsize } = await statfs(dirname(store.path));
        return bavail * bsize >= ROOM_BYTES;
      },
    };
    listening = await listen(given, random, (port) => {
      config = withPort(given, port);
      const deps = {
        config,
        db,
        clock,
        random,
        log,
        post,
        limits: quotas(config.rateLimit, clock),
        passwords: passwords(),
        setup,
        entry,
        dashboard: web,
        collector,
        ask,
        crawls: (question: CrawlQuestion) => threads.run(question.siteId, 'crawls', question),
        examine: examiner({ config, db, path: store.path, clock, grown: (today) => threads.run(0, 'growth', today) }),
        script: day,
      };
      return buildApp(deps, health, meters);
    });
    noteSettings(db, config);
    // Before anybody is told that it runs, so that whoever stops it at once is heard.
    const stopped = new Promise<void>((resolve) => io.onStop(resolve));
    if (setup) io.print(`set up this server at ${config.baseUrl}/setup/${setup.secret}`);
    if (entry) io.print(`open ${config.baseUrl}/sign-in/${entry.secret}`);
    io.print(`listening on ${ownUrl(config.host, config.port)}`);
    const jobs = startJobs({
      db,
      path: store.path,
      code,
      clock,
      collector,
      log,
      copies: { folder: config.backups, keep: config.keepBackups },
      mails: siteMails({ config, db, clock, random, log, post, ask }),
    });
    await stopped;
    await listening.stop();
    await jobs.stop();
    await threads.close();
    collector.settle();
    await post.settle();
  } finally {
    store.close();
  }
}

export const serveCommands: Command[] = [
  {
    name: 'serve',
    args: [],
    summary: 'Run the server',
    settings: OPTION_NAMES,
    run: (invocation) => serve(invocation),
  },
];
