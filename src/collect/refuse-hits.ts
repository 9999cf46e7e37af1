import { Problem } from '../lib/errors.ts';
import type { Collector } from './collector.ts';

/**
 * Makes a collector (collector.ts) that refuses every hit from outside. The public demo needs it, because the demo
 * makes its own visitors.
 */
export function refuseHits(collector: Collector): Collector {
  const refuse = (): Promise<never> => Promise.reject(new Problem('read_only_demo'));
  return { ...collector, take: refuse, engage: refuse, measure: refuse, takeHits: refuse, takeCrawls: refuse };
}
