import { useEffect, useState } from 'preact/hooks';
import { whenIdle } from '../../ui/printing.ts';

/**
 * The module with all flags, all logos and the map. Its file is larger than all other code of a page, so it is loaded
 * late.
 */
type Pictures = typeof import('./pictures.ts');
export type Kind = 'flag' | 'logo';

let loading: Promise<Pictures> | undefined;
let loaded: Pictures | undefined;

/**
 * Loads the pictures after all visible parts are loaded. Returns undefined until then, and if the pictures cannot be
 * loaded.
 */
export function usePictures(isNeeded = true): Pictures | undefined {
  const [, seeAgain] = useState(0);
  useEffect(() => {
    if (!isNeeded || loaded) return;
    let isGone = false;
    loading ??= whenIdle().then(() => import('./pictures.ts'));
    loading.then(
      (pictures) => {
        loaded = pictures;
        if (!isGone) seeAgain(1);
      },
      () => {
        loading = undefined;
      },
    );
    return () => {
      isGone = true;
    };
  }, [isNeeded]);
  return loaded;
}

/**
 * Returns a flag as the text of an SVG file, or a logo as the path of an SVG. Returns undefined until the pictures are
 * loaded, and for a name without a picture.
 */
export const useDrawing = (kind: Kind | undefined, name: string): string | undefined => {
  const pictures = usePictures(kind !== undefined);
  return kind && pictures?.DRAWINGS[kind](name);
};
