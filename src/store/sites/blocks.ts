// The blocks of sites: rules for hits that a site does not count from now on.
//
// Invariant: the key for hashes of IP addresses is made with the first block of an IP address. The key then stays the
// same, therefore a hash stays valid. Collectors on other machines get the blocks and the key (copied-tables.ts).
//
// Example: a block of the IP address 192.0.2.7 is stored as a hash such as `k3Jx…`. `findCollectedSite` returns this
// hash with all other blocks of the site, and src/collect compares each hit with them. api/blocks.ts calls this file.
import { coded } from '../../lang/coded.ts';
import { Problem } from '../../lib/errors.ts';
import { hashAddress } from '../../lib/http/address.ts';
import type { Random } from '../../lib/secrets.ts';
import type { Db } from '../db.ts';

export const BLOCK_KINDS = ['address', 'country', 'hostname', 'page', 'source', 'agent'] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

export type Block = { id: number; kind: BlockKind; value: string; note: string; created_at: number };
export type NewBlock = { kind: BlockKind; value: string; note: string; now: number };

const BLOCK = 'SELECT id, kind, value, note, created_at FROM block WHERE site_id = ?';

export const findBlock = (db: Db, siteId: number, id: number): Block | undefined =>
  db.one(`${BLOCK} AND id = ?`, siteId, id);

export const listBlocks = (db: Db, siteId: number): Block[] => db.all(`${BLOCK} ORDER BY id`, siteId);

/** The most blocks of a site. Each hit is compared with all blocks of its site. */
const BLOCKS_PER_SITE = 100;

export function assertRoomForBlock(db: Db, siteId: number): void {
  if (listBlocks(db, siteId).length < BLOCKS_PER_SITE) return;
  throw new Problem('limit_reached', { message: coded('most_blocks', { most: BLOCKS_PER_SITE }) });
}

/** Adds a block. If the site already has this block, only the note changes. */
export function addBlock(db: Db, siteId: number, { kind, value, note, now }: NewBlock): Block {
  db.run(
    `INSERT INTO block (site_id, kind, value, note, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (site_id, kind, value) DO UPDATE SET note = excluded.note`,
    ...[siteId, kind, value, note, now],
  );
  return db.one<Block>(`${BLOCK} AND kind = ? AND value = ?`, siteId, kind, value) as Block;
}

export const removeBlock = (db: Db, siteId: number, id: number): void => {
  db.run('DELETE FROM block WHERE site_id = ? AND id = ?', siteId, id);
};

const findKey = (db: Db): string | undefined => db.one<{ key: string }>('SELECT key FROM block_key WHERE one = 1')?.key;

/** Computes the hash of an IP address. Returns undefined if no site has blocked an IP address yet. */
export function findAddressHash(db: Db, address: string): string | undefined {
  const key = findKey(db);
  return key === undefined ? undefined : hashAddress(key, address);
}

/**
 * Computes the hash of an IP address for a block. The first call makes the key. Call this function inside a
 * transaction.
 */
export function makeAddressHash(db: Db, random: Random, address: string): string {
  if (findKey(db) === undefined) {
    db.run('INSERT INTO block_key (one, key) VALUES (1, ?)', Buffer.from(random(32)).toString('hex').toUpperCase());
  }
  return findAddressHash(db, address) as string;
}
