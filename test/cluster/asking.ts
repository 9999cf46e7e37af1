import type { TestApp } from '../helpers.ts';

/** The ClickHouse servers of an app, which are asked without it. */
export function ownServers({ config }: Pick<TestApp, 'config'>) {
  const [, hosts = '', database = ''] = /@?([\w.:,]+)\/(\w+)\?/.exec((config.engine ?? '').slice(13)) ?? [];
  async function askAt(host: string, sql: string): Promise<string> {
    const answer = await fetch(`http://${host}/?database=${database}`, { method: 'POST', body: sql });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text.trim();
  }
  const run = (sql: string) => Promise.all(hosts.split(',').map((host) => askAt(host, sql)));
  return {
    askAt,
    /** What each server says to a statement. */
    run,
    /** The sum of a number that each server says. */
    sum: async (sql: string) => (await run(sql)).reduce((sum, text) => sum + Number(text), 0),
  };
}
