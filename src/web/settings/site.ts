import { send } from '../api.ts';
import type { SiteData } from '../shapes.ts';

/** What every part of a site's settings gets. */
export type PartProps = { site: SiteData; again(): void; mayChange: boolean };

export const apiPath = ({ id }: SiteData, rest = ''): string => `/sites/${id}${rest}`;

type Change = Partial<Omit<SiteData, 'id' | 'domain' | 'account_id' | 'role' | 'created_at' | 'share_url' | 'snippet'>>;

export const changeSite = (site: SiteData, change: Change): Promise<SiteData> =>
  send<SiteData>('PATCH', apiPath(site), change);

/** Where the snippet loads the script from, which is also where everybody reaches this server. */
export function scriptOf({ snippet }: SiteData): { origin: string; path: string } {
  const { origin, pathname } = new URL(/src="([^"]+)"/.exec(snippet)?.[1] ?? '/', location.origin);
  return { origin, path: pathname.replace(/\.js$/, '') };
}
