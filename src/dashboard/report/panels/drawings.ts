import { useEffect, useState } from 'preact/hooks';

type Drawings = { drawingOf(name: string): string | undefined };

/** The modules with drawings. A module is loaded when the first picture of its kind is shown. */
const KINDS = {
  flag: (): Promise<Drawings> => import('./flags.ts'),
  logo: (): Promise<Drawings> => import('./logos.ts'),
};
export type Kind = keyof typeof KINDS;

const loading: Partial<Record<Kind, Promise<void>>> = {};
const loaded: Partial<Record<Kind, Drawings>> = {};

/** Gets a picture as SVG. Undefined until the module with the picture is loaded, and for a name without a picture. */
export function useDrawing(kind: Kind | undefined, name: string): string | undefined {
  const [, seeAgain] = useState(0);
  useEffect(() => {
    if (!kind || loaded[kind]) return;
    let isGone = false;
    loading[kind] ??= load(kind);
    loading[kind].then(
      () => !isGone && seeAgain(1),
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [kind]);
  return kind && loaded[kind]?.drawingOf(name);
}

async function load(kind: Kind): Promise<void> {
  loaded[kind] = await KINDS[kind]();
}
