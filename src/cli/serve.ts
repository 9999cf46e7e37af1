import { randomBytes as random } from 'node:crypto';
import { compose, type Daybook, type Options } from '../compose.ts';
import { type Config, OPTION_NAMES, ownUrl } from '../config.ts';
import { logTo } from '../lib/log.ts';
import { seconds } from '../lib/time.ts';
import type { Db } from '../store/statements.ts';
import { findUpkeep, noteUpkeep } from '../store/upkeep.ts';
import { type Command, clock, type Invocation } from './command.ts';

/** For commands, which do not see the server's flags. */
function noteSettings(db: Db, { baseUrl, smtpUrl }: Config): void {
  const told = { 'base-url': baseUrl, 'mail-host': smtpUrl === undefined ? '' : new URL(smtpUrl).host };
  for (const [name, words] of Object.entries(told) as [keyof typeof told, string][]) {
    if (findUpkeep(db, name)?.words !== words) noteUpkeep(db, name, { at: seconds(clock), fine: true, words });
  }
}

/** Runs until it is stopped; `meanwhile` goes on until then. */
export async function serve(
  { config: given, io }: Invocation,
  entry?: Options['entry'],
  meanwhile: (daybook: Daybook, stopped: AbortSignal) => Promise<void> = async () => {},
): Promise<void> {
  const log = logTo((line) => io.explain(line.trimEnd()), clock.now);
  const onUpdate = (from: number, to: number) => log('the file is copied and brought up to date', { from, to });
  const daybook = await compose(given, { clock, random, log }, { entry, onUpdate });
  const { db, setup } = daybook;
  try {
    const config = await daybook.listen();
    noteSettings(db, config);
    // Before anybody is told that it runs, so that whoever stops it at once is heard.
    const stopping = new AbortController();
    const stopped = new Promise<void>((resolve) => io.onStop(resolve)).then(() => stopping.abort());
    if (setup) io.print(`set up this server at ${config.baseUrl}/setup/${setup.secret}`);
    if (entry) io.print(`open ${config.baseUrl}/sign-in/${entry.secret}`);
    io.print(`listening on ${ownUrl(config.host, config.port)}`);
    daybook.work(config);
    await Promise.all([stopped, meanwhile(daybook, stopping.signal)]);
  } finally {
    await daybook.stop();
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
