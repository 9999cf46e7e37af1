import { randomBytes as random } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { buildApp } from '../app.ts';
import { windowLimit } from '../auth/limits.ts';
import { passwords } from '../auth/passwords.ts';
import { setupLink } from '../auth/setup.ts';
import { buildCollector } from '../collect/collector.ts';
import { OPTION_NAMES, ownUrl, withPort } from '../config.ts';
import { logTo } from '../lib/log.ts';
import type { Clock } from '../lib/time.ts';
import { buildPost } from '../mail/post.ts';
import { script } from '../script.ts';
import { type Listening, listen } from '../server.ts';
import { openStore } from '../store/open.ts';
import { hasUsers } from '../store/users.ts';
import type { Command, Invocation } from './command.ts';

const ROOM_BYTES = 100 * 1024 * 1024;

const clock: Clock = { now: () => Date.now(), tick: () => performance.now() };

async function serve({ config: given, io }: Invocation): Promise<void> {
  const store = openStore(given.db, { serve: true });
  const { db } = store;
  try {
    const log = logTo((line) => io.explain(line.trimEnd()), clock.now);
    const post = buildPost(given, clock, log);
    const collector = buildCollector({ config: given, db, clock, random, log });
    const day = await script();
    const setup = hasUsers(db) ? undefined : setupLink(random, clock);
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
      const limits = {
        requests: windowLimit(config.rateLimit, 60, clock),
        failures: windowLimit(60, 60, clock),
        guesses: windowLimit(10, 900, clock),
      };
      const deps = {
        config,
        db,
        clock,
        random,
        log,
        post,
        limits,
        passwords: passwords(),
        setup,
        collector,
        script: day,
      };
      return buildApp(deps, health);
    });
    // Before anybody is told that it runs, so that whoever stops it at once is heard.
    const stopped = new Promise<void>((resolve) => io.onStop(resolve));
    if (setup) io.print(`set up this server at ${config.baseUrl}/setup/${setup.secret}`);
    io.print(`listening on ${ownUrl(config.host, config.port)}`);
    await stopped;
    await listening.stop();
    collector.settle();
    await post.settle();
  } finally {
    store.close();
  }
}

export const serveCommands: Command[] = [
  { name: 'serve', args: [], summary: 'Run the server', settings: OPTION_NAMES, run: serve },
];
