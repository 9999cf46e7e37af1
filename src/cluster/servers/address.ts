import { ACKS, type Ack } from '../../lib/ack.ts';
import { Refusal, USAGE } from '../../lib/errors.ts';

/** The parts of the URL in the option --engine. All ClickHouse servers (`urls`) have the same user and password. */
export type Address = {
  urls: readonly string[];
  user: string;
  password: string;
  database: string;
  cluster: string;
  ack: Ack;
};

const FORM = /^clickhouse(s?):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?#@\s]+)\/([A-Za-z_]\w*)(?:\?(.*))?$/;
const NAME = /^[A-Za-z_]\w*$/;
const EXAMPLE = 'clickhouse://user:password@one.example:8123,two.example:8123/daybook?cluster=main';
const FAULT = `--engine takes a URL such as ${EXAMPLE}. In the password, write %40 for @, %2F for / and %25 for %`;

/**
 * Parses a URL such as clickhouse://user:password@host:port,host:port/database?cluster=NAME, which names all servers of
 * a cluster. With clickhouses:// the connections use TLS.
 */
export function parseAddress(text: string): Address {
  const [, secure = '', user = '', password = '', hosts = '', database = '', search = ''] = FORM.exec(text) ?? [];
  const options = new URLSearchParams(search);
  const cluster = options.get('cluster') ?? 'default';
  const urls = hosts.split(',').map((host) => `http${secure}://${host.toLowerCase()}/`);
  const [name, word] = [decode(user), decode(password)];
  const isWritten = hosts !== '' && NAME.test(cluster) && urls.every((url) => URL.canParse(url));
  if (!isWritten || name === undefined || word === undefined) throw new Refusal(FAULT, USAGE);
  const ack = ACKS.find((one) => one === (options.get('ack') ?? 'disk'));
  if (!ack) throw new Refusal(`--engine: ack is ${ACKS.slice(0, -1).join(', ')} or ${ACKS.at(-1)}`, USAGE);
  return {
    ...{ urls, user: name, password: word, database, cluster, ack },
  };
}

export function isAddress(text: string): boolean {
  try {
    return parseAddress(text).urls.length > 0;
  } catch {
    return false;
  }
}

/** Decodes % codes, such as %40 for @. Gives undefined if the text is wrong, such as a % without two digits. */
function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
