import { useEffect, useState } from 'preact/hooks';

/** SVG files of flags by country, and paths of logos (24 by 24) by name: loaded once something that has one is shown. */
const KINDS = {
  flag: async (): Promise<Record<string, string>> => await import('country-flag-icons/string/3x2'),
  logo: async (): Promise<Record<string, string>> => (await import('./logos.json')).default,
};
export type Kind = keyof typeof KINDS;

const loading: Partial<Record<Kind, Promise<void>>> = {};
const loaded: Partial<Record<Kind, Record<string, string>>> = {};

async function load(kind: Kind): Promise<void> {
  loaded[kind] = await KINDS[kind]();
}

/** A drawing, once those of its kind are there; the letters stay where there is none. */
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
  const all = kind && loaded[kind];
  return all && Object.hasOwn(all, name) ? all[name] : undefined;
}
