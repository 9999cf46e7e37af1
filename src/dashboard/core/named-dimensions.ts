import type { DashboardMessage } from '../../lang/dashboard.ts';
import { DIMENSIONS, type DimensionName } from '../../stats/dimensions.ts';

type Table = typeof DIMENSIONS;
type Named = Table[DimensionName];
type Name = Named['tab' | 'name'] | Extract<Named, { emptyValue: string }>['emptyValue'];

type Names<Missing extends never> = Record<'tab' | 'name', DashboardMessage> &
  Record<Missing, never> & { emptyValue?: DashboardMessage };

/**
 * The table of dimensions (src/stats/dimensions.ts). The dashboard needs a text for the name of each dimension. If a
 * text is missing, TypeScript reports an error here, which contains the name.
 */
export const NAMED_DIMENSIONS = DIMENSIONS as unknown as {
  [Key in DimensionName]: Omit<Table[Key], keyof Names<never>> & Names<Exclude<Name, DashboardMessage>>;
};
