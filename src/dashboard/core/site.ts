import type { Site } from '../../api/sites.ts';
import { send } from './api.ts';

export type PartProps = { site: Site; reload(): void; mayChange: boolean };

export const apiPath = ({ id }: Site, rest = ''): string => `/sites/${id}${rest}`;

type Change = Partial<Omit<Site, 'id' | 'account_id' | 'role' | 'created_at' | 'share_url' | 'snippet'>>;

export const changeSite = (site: Site, change: Change): Promise<Site> => send<Site>('PATCH', apiPath(site), change);

/** Returns the URL of the tracking script in two parts: the origin, and the path without .js at the end. */
export function scriptOf({ snippet }: Site): { origin: string; path: string } {
  const { origin, pathname } = new URL(/src="([^"]+)"/.exec(snippet)?.[1] ?? '/', location.origin);
  return { origin, path: pathname.replace(/\.js$/, '') };
}
