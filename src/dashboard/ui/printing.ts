// A print needs the whole page, but a panel loads only when the user scrolls to it. A browser does not wait before it prints. So
// this file loads all panels before a print, in two ways:
//
//   the page is idle  the panels load one after the other, because the user may print later
//   Ctrl+P            all panels load together, and the print begins when they are loaded, or after 10 s
//
// site.tsx handles the key.
// in-view.ts and panel.tsx ask whether to load a panel.

import { useEffect, useState } from 'preact/hooks';

/** A print waits at most this long for panels. Panels that are not loaded then are missing on the paper. */
const LONGEST_WAIT_MS = 10_000;
const PREPARE = 'daybook-print';

/** Becomes true when a print begins, and stays true. All panels then load, even if the user has not scrolled to them. */
export function useIsPrinted(): boolean {
  const [isPrinted, set] = useState(false);
  useEffect(() => {
    const print = () => set(true);
    const paper = matchMedia('print');
    const change = () => paper.matches && print();
    addEventListener('beforeprint', print);
    addEventListener(PREPARE, print);
    paper.addEventListener('change', change);
    // The print may have begun before this component existed.
    change();
    return () => {
      removeEventListener('beforeprint', print);
      removeEventListener(PREPARE, print);
      paper.removeEventListener('change', change);
    };
  }, []);
  return isPrinted;
}

/** The interval at which the page checks whether it is idle. */
const LOOK_MS = 500;

/**
 * True while visible parts of the page are loading. A panel with a skeleton does not count as loading, because it waits until
 * the user scrolls to it.
 */
const isBusy = (): boolean => document.querySelector('.skeleton:not(.panel > .skeleton), [aria-busy="true"]') !== null;

/**
 * Becomes true when everything visible is loaded. A panel below the window may then load its data. Meanwhile the page
 * is busy again, so one panel loads after the other.
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

const isLoading = (): boolean => document.querySelector('.skeleton, [aria-busy="true"]') !== null;

function printAll(): void {
  dispatchEvent(new Event(PREPARE));
  const end = Date.now() + LONGEST_WAIT_MS;
  const look = () => {
    if (isLoading() && Date.now() < end) setTimeout(look, 50);
    else print();
  };
  // The panels first need time to render. While they load, they show skeletons.
  setTimeout(look, 50);
}

/** Handles Ctrl+P. Otherwise the browser would print before the panels are loaded. */
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
