import type { TestApp } from '../helpers.ts';

/** The ClickHouse servers of an app, which are asked without it. */
export function ownServers({ config }: Pick<TestApp, 'config'>) {
  const [, list = '', database = ''] = /^clickhouse:\/\/([^/]+)\/(\w+)/.exec(config.engine ?? '') ?? [];
  const hosts = list.split(',');
  async function askAt(host: string, sql: string, where = database): Promise<string> {
    const answer = await fetch(`http://${host}/?database=${where}`, { method: 'POST', body: sql });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text.trim();
  }
  const run = (sql: string) => Promise.all(hosts.map((host) => askAt(host, sql)));
  return {
    hosts,
    database,
    askAt,
    /** What each server says to a statement. */
    run,
    /** The sum of a number that each server says. */
    sum: async (sql: string) => (await run(sql)).reduce((sum, text) => sum + Number(text), 0),
  };
}
