import { ownUrl } from '../config.ts';
import { Refusal } from '../lib/errors.ts';
import type { Command, Invocation } from './command.ts';

const PATIENCE_MS = 3_000;

/** Where a server on all addresses is reached without asking for a name. */
const NEAREST: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

async function health({ config, io }: Invocation): Promise<void> {
  const url = `${ownUrl(NEAREST[config.host] ?? config.host, config.port)}/readyz`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
  if (!answer) throw new Refusal(`nobody answers at ${url}`);
  if (!answer.ok) throw new Refusal(`the server at ${url} takes no hits now; its log says why`);
  io.print('ready');
}

export const healthCommands: Command[] = [
  {
    name: 'health',
    args: [],
    summary: 'Ask the server on this machine whether it takes hits; exit code 1 where it does not',
    settings: ['host', 'port'],
    run: health,
  },
];
