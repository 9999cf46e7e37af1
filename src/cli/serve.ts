// The command `daybook serve` runs the server until somebody stops it. `daybook demo` and `daybook prove-forgetting`
// call the function `serve` too, with options of their own.
//
// Invariant: "listening on" is printed only after the server answers requests and handles SIGTERM. A program that waits
// for this line may therefore stop the server at once. At the end, requests and jobs end first, and then the database
// file is closed.

import { randomBytes as random } from 'node:crypto';
import type { ComposeOptions, Daybook } from '../compose.ts';
import { type Config, ownUrl } from '../config.ts';
import { logTo } from '../lib/log.ts';
import { type Clock, seconds } from '../lib/time.ts';
import { SERVER_OPTIONS } from '../options.ts';
import type { Db } from '../store/db.ts';
import { findUpkeep, noteUpkeep } from '../store/server/upkeep.ts';
import { type Command, type Invocation, clock as systemClock } from './command.ts';

/** Options that only `daybook demo` and `daybook prove-forgetting` pass. */
type ServeOptions = Pick<ComposeOptions, 'entry' | 'guest'> & {
  clock?: Clock;
  meanwhile?: (daybook: Daybook, stopped: AbortSignal) => Promise<void>;
  /** The server stops when this promise resolves, or when the process receives a signal such as SIGTERM. */
  until?: (stopped: AbortSignal) => Promise<void>;
};

export async function serve(
  { config: startConfig, io }: Invocation,
  { clock = systemClock, entry, guest, meanwhile = async () => {}, until }: ServeOptions = {},
): Promise<void> {
  // Loading the HTTP modules and all pages takes longer than running most other commands. For this reason, they are
  // loaded only here.
  const [{ compose }, { tryToListen }] = await Promise.all([import('../compose.ts'), import('../http/server.ts')]);
  const log = logTo((line) => io.explain(line.trimEnd()), clock.now);
  const onUpdate = (from: number, to: number) =>
    log('the database file is from an older version. Making a backup and updating it', { from, to });
  await tryToListen(startConfig);
  const daybook = await compose(startConfig, { clock, random, log }, { entry, guest, onUpdate });
  const { db, setup } = daybook;
  try {
    // With --port 0, the system chooses the port. `config` has the chosen port.
    const config = await daybook.listen();
    noteSettings(db, config, seconds(clock));
    // SIGTERM is handled before the URL is printed. A program may stop the server as soon as it sees the URL.
    const stopping = new AbortController();
    const asked = new Promise<void>((resolve) => io.onStop(resolve));
    const stopped = Promise.race([asked, ...(until ? [until(stopping.signal)] : [])]).then(() => stopping.abort());
    if (setup) io.print(`set up this server at ${config.baseUrl}/setup/${setup.secret}`);
    if (entry) io.print(`open ${config.baseUrl}/sign-in/${entry.secret}`);
    io.print(`listening on ${ownUrl(config.host, config.port)}`);
    daybook.work(config);
    await Promise.all([stopped, meanwhile(daybook, stopping.signal)]);
  } finally {
    await daybook.stop();
  }
}

/** Notes settings in the database file for other commands, which do not get the flags of the server. */
function noteSettings(db: Db, { baseUrl, smtpUrl, webhookUrl }: Config, at: number): void {
  const findHost = (url: string | undefined) => (url === undefined ? '' : new URL(url).host);
  const settings = { 'base-url': baseUrl, 'mail-host': findHost(smtpUrl), 'webhook-host': findHost(webhookUrl) };
  for (const [name, value] of Object.entries(settings) as [keyof typeof settings, string][]) {
    if (findUpkeep(db, name)?.words !== value) noteUpkeep(db, name, { at, fine: true, words: value });
  }
}

export const serveCommands: Command[] = [
  {
    name: 'serve',
    isUntimed: true,
    args: [],
    summary: 'Run the server',
    settings: SERVER_OPTIONS,
    run: (invocation) => serve(invocation),
  },
];
