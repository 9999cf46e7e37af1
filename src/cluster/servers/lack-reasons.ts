import type { LackReason } from '../../store/cluster/cluster-servers.ts';

/** Says why a server lacks rows. */
export const REASONS: Record<LackReason | '', string> = {
  '': '',
  missed: 'missed some data',
  empty: 'has a new disk, or was emptied',
  restored: 'has an older disk',
};
