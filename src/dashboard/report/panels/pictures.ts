// The pictures of all panels, in one file for the browser: flags, logos and the map of the world.

import { drawingOf as flagOf } from './flags.ts';
import { drawingOf as logoOf } from './logos.ts';

export { WorldMap } from './world-map.tsx';
export const DRAWINGS = { flag: flagOf, logo: logoOf };
