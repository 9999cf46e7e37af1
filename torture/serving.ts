import type { TestContext } from 'node:test';
import { furnish } from '../test/support/furnish.ts';
import { program, type Server } from '../test/support/program.ts';

type Plan = { sites?: string[]; flags?: string[]; env?: Record<string, string> };

type Served = {
  server: Server;
  db: string;
  /** Of ann, whose sites they are. */
  token: string;
};

/** The real program on a file with these sites. */
export async function serving(
  t: TestContext,
  { sites = ['example.com'], flags = [], env = {} }: Plan,
): Promise<Served> {
  const { serve, db } = program(t);
  const token = await furnish(db, sites);
  return { server: await serve(flags, { env }), db, token };
}
