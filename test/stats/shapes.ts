import { type CompactionLimits, LIMITS } from '../../src/ledger/open/compaction.ts';
import { TINY } from '../ledger/stage.ts';
import { ON_CLUSTER } from '../support/helpers.ts';

/** How the file may keep an open day: as rows, and in parts. A cluster has one way. */
export const shapes = (parts: CompactionLimits = TINY): (readonly [name: string, limits: CompactionLimits])[] => [
  ['', LIMITS],
  ...(ON_CLUSTER ? [] : [['; and in parts', parts] as const]),
];
