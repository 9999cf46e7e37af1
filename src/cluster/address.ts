import { ACKS, type Ack } from '../lib/ack.ts';
import { Refusal, USAGE } from '../lib/errors.ts';

/** Where a cluster is: every server of it, and who asks. */
export type Address = {
  urls: readonly string[];
  user: string;
  password: string;
  database: string;
  cluster: string;
  ack: Ack;
};

const FORM = /^clickhouse(s?):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?]+)\/([A-Za-z_]\w*)(?:\?(.*))?$/;
const NAME = /^[A-Za-z_]\w*$/;
const EXAMPLE = 'clickhouse://user:password@one.example:8123,two.example:8123/daybook?cluster=main';

/** clickhouse://user:password@host:port,host:port/database?cluster=NAME; clickhouses:// is over TLS. */
export function addressOf(text: string): Address {
  const [, secure = '', user = '', password = '', hosts = '', database = '', search = ''] = FORM.exec(text) ?? [];
  const options = new URLSearchParams(search);
  const cluster = options.get('cluster') ?? 'default';
  if (hosts === '' || !NAME.test(cluster)) throw new Refusal(`--engine is written like ${EXAMPLE}`, USAGE);
  const ack = ACKS.find((one) => one === (options.get('ack') ?? 'disk'));
  if (!ack) throw new Refusal(`--engine: ack is ${ACKS.slice(0, -1).join(', ')} or ${ACKS.at(-1)}`, USAGE);
  return {
    urls: hosts.split(',').map((host) => `http${secure}://${host}/`),
    user: decodeURIComponent(user),
    password: decodeURIComponent(password),
    ...{ database, cluster, ack },
  };
}
