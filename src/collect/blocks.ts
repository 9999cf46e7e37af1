// Finds the block that a hit matches. Blocks are rules for hits that a site does not count. A rule names an IP address,
// a country or a source, for example.
//
// Invariant: a hit of a site without blocks costs nothing. The IP address of a hit is hashed only if the site blocks an
// IP address.
//
// Example: the block `page /internal/*` drops hits of /internal/a. The block `source *.spam.example` drops hits of
// visits from any host that ends with `.spam.example`. outcome.ts calls `findBlock` for each hit of a site with blocks.
import { cached } from '../lib/cache.ts';
import { hashAddress } from '../lib/http/address.ts';
import { makeMatcher } from '../lib/pattern.ts';
import type { BlockKind } from '../store/sites/blocks.ts';

/** The values of a hit that blocks are compared with. */
type BlockedBy = Record<BlockKind, string>;

/** Finds the first block of the site that the hit matches, and returns its id. */
export function findBlock(blocks: string, hit: BlockedBy): number | undefined {
  const { key, list } = readBlocks(blocks);
  // The hash is computed once for all blocks of IP addresses.
  const address = list.some(({ kind }) => kind === 'address') && key !== null ? hashAddress(key, hit.address) : '';
  const values = { ...hit, address, agent: hit.agent.toLowerCase() };
  return list.find(({ kind, matches }) => matches(values[kind]))?.id;
}

/**
 * Reads blocks as `findCollectedSite` returns them. A block of an IP address contains only its hash. Blocks change
 * rarely, so parsed lists are cached.
 */
const readBlocks = cached(
  (text) => {
    const { key, list } = JSON.parse(text) as { key: string | null; list: [number, BlockKind, string][] };
    return { key, list: list.map(([id, kind, value]) => ({ id, kind, matches: makeMatcher(value) })) };
  },
  { size: 1_000 },
);
