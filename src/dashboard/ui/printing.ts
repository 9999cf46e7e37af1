// A printed page needs all panels, but panels further down are not loaded at first. A browser does not wait for these
// panels before it prints. So this file loads all panels before a print, in two ways:
//
//   the page is idle  the panels load one after the other, because the user may print later
//   Ctrl+P            all panels load together, and the print begins when they are loaded, or after 10 s
//
// pages/site.tsx calls `usePrintKey`. in-view.ts and panel.tsx ask whether to load a panel. Other parts that can wait
// call `useIsTimeForRest` or `whenIdle`.

import { useEffect, useState } from 'preact/hooks';

/**
 * How often the page checks before a print whether all panels are loaded. It checks every 50 ms, for at most 10 s.
 * Panels that are not loaded by then are missing on the paper.
 */
const MOST_LOOKS = 200;
const PRINT_LOOK_MS = 50;

let hasPrinted = false;
const listeners = new Set<() => void>();

function prepare(): void {
  hasPrinted = true;
  for (const listener of listeners) listener();
}
addEventListener('beforeprint', prepare);
matchMedia('print').addEventListener('change', ({ matches }) => matches && prepare());

/**
 * Becomes true when a print begins, and stays true. Then all panels load, even panels to which the user has not
 * scrolled.
 */
export function useIsPrinted(): boolean {
  const [isPrinted, set] = useState(hasPrinted);
  useEffect(() => {
    const listener = () => set(true);
    listeners.add(listener);
    // The print may have begun before this effect ran.
    if (hasPrinted) listener();
    return () => void listeners.delete(listener);
  }, []);
  return isPrinted;
}

/** The time between two checks whether the page is idle, in milliseconds. An idle page has loaded all visible parts. */
const LOOK_MS = 500;

/**
 * True while visible parts of the page are loading. The grey bars (`.skeleton`) of a whole panel do not count. Such a
 * panel may wait until the user scrolls to it.
 */
const isBusy = (): boolean => document.querySelector('.skeleton:not(.panel > .skeleton), [aria-busy="true"]') !== null;

/**
 * True when all visible parts are loaded. `view` is the part of the page's URL after the ?. After a change of `view`,
 * the result is false until all visible parts are loaded again. When the result is true, a panel below the window may
 * load its data. While one panel loads, the other panels still wait.
 */
export function useIsTimeForRest(view: string): boolean {
  const [quietView, set] = useState<string>();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden || isBusy()) return;
      clearInterval(timer);
      set(view);
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [view]);
  return quietView === view;
}

/** Resolves when all visible parts are loaded, or when a print begins. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => document.hidden || isBusy() || done(), LOOK_MS);
    const done = () => {
      clearInterval(timer);
      listeners.delete(done);
      resolve();
    };
    listeners.add(done);
    if (hasPrinted) done();
  });
}

const isLoading = (): boolean => document.querySelector('.skeleton, [aria-busy="true"]') !== null;

function printAll(): void {
  prepare();
  let looks = 0;
  const look = () => {
    if (isLoading() && ++looks < MOST_LOOKS) setTimeout(look, PRINT_LOOK_MS);
    else print();
  };
  // The panels first need time to render. After that, they show grey bars, so `look` sees that they are loading.
  setTimeout(look, PRINT_LOOK_MS);
}

/** Handles Ctrl+P. Otherwise the browser would print before all panels are loaded. */
export function usePrintKey(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key !== 'p') return;
      event.preventDefault();
      printAll();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
