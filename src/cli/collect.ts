import { randomBytes as random } from 'node:crypto';
import { ownUrl } from '../config.ts';
import { logTo } from '../lib/log.ts';
import type { Clock } from '../lib/time.ts';
import { COLLECTOR_ONLY } from '../options.ts';
import { type Command, type Invocation, clock as systemClock } from './command.ts';

/**
 * Options that only `daybook prove-forgetting` passes. `meanwhile` is work that runs beside the collector until the
 * collector stops.
 */
type CollectOptions = { clock?: Clock; meanwhile?: (stopped: AbortSignal) => Promise<void> };

export async function collect(
  { config: startConfig, io }: Invocation,
  { clock = systemClock, meanwhile = async () => {} }: CollectOptions = {},
): Promise<void> {
  // Loading the HTTP modules takes longer than running most commands. For this reason, only this command and `serve`
  // load them.
  const [{ composeCollector }, { tryToListen }] = await Promise.all([
    import('../compose-collector.ts'),
    import('../http/server.ts'),
  ]);
  const log = logTo((line) => io.explain(line.trimEnd()), clock.now);
  await tryToListen(startConfig);
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => io.onStop(resolve)).then(() => stopping.abort());
  const collector = await composeCollector(startConfig, { clock, random, log }, stopping.signal);
  if (!collector) return;
  try {
    const config = await collector.listen();
    io.print(`listening on ${ownUrl(config.host, config.port)}`);
    collector.work();
    await Promise.all([stopped, meanwhile(stopping.signal)]);
  } finally {
    await collector.stop();
  }
}

export const collectCommands: Command[] = [
  {
    name: 'collect',
    isUntimed: true,
    args: [],
    summary: 'Run a collector: it receives hits for a server with --engine, on its own machine',
    settings: [
      ...COLLECTOR_ONLY,
      ...(['port', 'host', 'base-url', 'trusted-proxies', 'exclude-addresses', 'script', 'flood'] as const),
      ...(['day-capacity', 'geoip', 'country-header', 'spam-list', 'metrics-token'] as const),
    ],
    run: (invocation) => collect(invocation),
  },
];
