import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { listKeys } from '../api/receipts.ts';
import { rotateReceiptKey } from '../catalog/receipts.ts';
import { makeDueReceipts } from '../jobs/receipts.ts';
import { Refusal } from '../lib/errors.ts';
import { Domain } from '../lib/http/fields.ts';
import { plural } from '../lib/plural.ts';
import type { Receipt } from '../receipts/receipt.ts';
import { listReceiptKeys } from '../store/server/receipt-keys.ts';
import { listReceipts, readBody } from '../store/sites/receipts.ts';
import { type Command, type Invocation, now, validated, withEngine, withStore } from './command.ts';
import { existingSite } from './site.ts';

const EVERY = Number.MAX_SAFE_INTEGER;

const exportReceipts = ({ args, flags, config, io }: Invocation): Promise<void> =>
  withEngine(config, async ({ db, engine }) => {
    const site = existingSite(db, validated(Domain, 'DOMAIN', args[0]));
    for (const fault of await makeDueReceipts(db, engine, { random: randomBytes, now: now() })) io.explain(fault);
    const receipts = listReceipts(db, site.id, 0, EVERY).map((one) => readBody<Receipt>(one));
    const text = JSON.stringify({ ...listKeys(db), receipts });
    if (flags.out === undefined) return io.print(text);
    try {
      writeFileSync(flags.out, `${text}\n`, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      throw new Refusal(`${flags.out}: ${(error as Error).message}`);
    }
  });

const rotateKey = ({ config, io }: Invocation): Promise<void> =>
  withStore(config, (db) => {
    const sites = rotateReceiptKey(db, randomBytes, now());
    io.print(`new key ${listReceiptKeys(db)[0]?.key}, introduced by a receipt of ${plural(sites, 'site')}`);
  });

export const receiptCommands: Command[] = [
  {
    name: 'receipts export',
    args: ['DOMAIN'],
    summary: 'Write all receipts of a site as JSON, to save them or to check them with verify',
    settings: ['db', 'engine'],
    flags: { out: { value: 'FILE', help: 'write to this new file instead of standard output' } },
    run: exportReceipts,
  },
  {
    name: 'receipts rotate',
    args: [],
    summary: 'Sign receipts with a new key from now on. The former key signs the new one, and is deleted',
    settings: ['db'],
    run: rotateKey,
  },
];
