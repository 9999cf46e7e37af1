import { ownUrl } from '../config.ts';
import { Refusal } from '../lib/errors.ts';
import type { Command, Invocation } from './command.ts';

const TIMEOUT_MS = 3_000;

/** Where to ask a server that listens on all IP addresses: at the loopback IP address. */
const LOOPBACK: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

async function health({ config, io }: Invocation): Promise<void> {
  const url = `${ownUrl(LOOPBACK[config.host] ?? config.host, config.port)}/readyz`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined);
  if (!answer) throw new Refusal(`no server answers at ${url}. Start it, or name its --host and --port`);
  if (!answer.ok) throw new Refusal(`the server at ${url} accepts no hits at the moment. See its log`);
  io.print('ready');
}

export const healthCommands: Command[] = [
  {
    name: 'health',
    args: [],
    summary: 'Ask the server on this machine whether it accepts hits. Exit code 1 if it does not',
    settings: ['host', 'port'],
    settingHelp: { host: 'IP address of the server to ask', port: 'port of the server to ask' },
    run: health,
  },
];
