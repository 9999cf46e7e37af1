// Makes and removes the database of a proof on ClickHouse servers. A proof (`daybook prove-forgetting`) shows that
// nothing is left of a visitor after the day is over.
//
// Invariant: a proof never removes a database of the operator, or of another proof that still runs. The comment of the
// database says which proof made it, and when.
//
// Example: the operator has a database with the name of the proof's database, `daybook_proof`. It has no such comment,
// so the proof is refused and does not change it. read-clickhouse.ts uses this file. Test:
// test/cluster/forgetting.test.ts.
import type { Address } from '../cluster/servers/address.ts';
import { parseRows, type Send } from '../cluster/servers/send.ts';
import { Refusal } from '../lib/errors.ts';
import { makeRandomText, type Random } from '../lib/secrets.ts';
import { HOUR } from '../lib/time.ts';

/**
 * Each request of `send` must name a current database that exists, such as `system`. ClickHouse refuses requests whose
 * current database does not exist, and the database of the proof may not exist yet.
 */
export function openProofDatabase({ urls, database }: Address, send: Send, random: Random) {
  const name = makeRandomText(random, 16);
  const made = new Set<string>();
  const drop = (url: string) => send(url, `DROP DATABASE IF EXISTS ${database} SYNC`);

  /** Reads the clock of a server, and the comment of the database of the proof, if this database exists. */
  async function look(url: string): Promise<Look> {
    const comments = `SELECT groupArray(comment) FROM system.databases WHERE name = '${database}'`;
    const sql = `SELECT (${comments}) AS comments, toUnixTimestamp(now()) AS now FORMAT JSONEachRow`;
    const [found] = parseRows<Look>(await send(url, sql));
    return found ?? { comments: [], now: 0 };
  }

  async function makeOn(url: string): Promise<void> {
    const { comments, now } = await look(url);
    for (const comment of comments) {
      assertLeftOver(`${url} has a database ${database}`, comment, now);
      await drop(url);
    }
    made.add(url);
    // Without IF NOT EXISTS, two proofs that begin at the same time cannot both make the database.
    await send(url, `CREATE DATABASE ${database} COMMENT '${writeComment({ name, at: now })}'`);
  }

  return {
    /** Makes the database on all servers. Removes what an earlier proof left if it was killed. */
    async make(): Promise<void> {
      for (const url of urls)
        await makeOn(url).catch((error: Error) => {
          if (error instanceof Refusal) throw error;
          throw new Refusal(`the proof uses the database ${database} on the cluster. ${error.message}`);
        });
    },
    /** Removes the database from all servers on which this proof made it. */
    async remove(): Promise<void> {
      const remove = async (url: string) => {
        const { comments } = await look(url);
        if (comments.some((comment) => readComment(comment)?.name === name)) await drop(url);
      };
      await Promise.all([...made].map(remove));
    },
  };
}

type Look = { comments: string[]; now: number };
type Maker = { name: string; at: number };

const writeComment = ({ name, at }: Maker): string => `daybook prove-forgetting ${name}, began at ${at}`;

function readComment(comment: string): Maker | undefined {
  const [, name, at] = /^daybook prove-forgetting (\w+), began at (\d+)$/.exec(comment) ?? [];
  return name === undefined ? undefined : { name, at: Number(at) };
}

/** In seconds. A proof takes a few minutes, so a proof that began longer ago is assumed to be killed. */
const LONGEST = HOUR;

/** Throws unless a proof made the database at least `LONGEST` ago. */
function assertLeftOver(what: string, comment: string, now: number): void {
  const maker = readComment(comment);
  if (!maker)
    throw new Refusal(
      `${what}, and no proof has made it. The proof needs this name. Rename or drop that database first`,
    );
  if (now - maker.at < LONGEST)
    throw new Refusal(`${what} of another proof. Wait for that proof. If it was killed, drop that database`);
}
