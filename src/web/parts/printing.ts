// Printing needs the whole page, but panels load only when somebody scrolls to them. A browser that prints waits for nothing.
// So this file loads all panels before a print, in two ways:
//
//     the page is idle   the panels load one after the other, in case somebody prints later
//     Ctrl+P             all panels load at once, and the print begins when they are there, or after 10 s
//
// site.tsx takes over the key.
// in-view.ts and panel.tsx ask whether to load a panel.

import { useEffect, useState } from 'preact/hooks';

/** The longest wait for panels. Panels that are not loaded by then are missing on the paper. */
const LONGEST_WAIT_MS = 10_000;
const PREPARE = 'daybook-print';

/** Becomes true when a print begins, and stays true. Panels then load even if nobody has scrolled to them. */
export function useIsPrinted(): boolean {
  const [isPrinted, set] = useState(false);
  useEffect(() => {
    const print = () => set(true);
    const paper = matchMedia('print');
    const change = () => paper.matches && print();
    addEventListener('beforeprint', print);
    addEventListener(PREPARE, print);
    paper.addEventListener('change', change);
    // The print may have begun before this component was there.
    change();
    return () => {
      removeEventListener('beforeprint', print);
      removeEventListener(PREPARE, print);
      paper.removeEventListener('change', change);
    };
  }, []);
  return isPrinted;
}

/** How often to check whether the page is idle. */
const LOOK_MS = 500;

/**
 * True while visible parts of the page load. A panel with a skeleton waits for somebody to scroll to it, and is not
 * loading.
 */
const isBusy = (): boolean => document.querySelector('.skeleton:not(.panel > .skeleton), [aria-busy="true"]') !== null;

/**
 * Becomes true when everything visible is loaded, so that a panel further down may load. One panel loads after the
 * other, because each makes the page busy in its turn.
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

/** Loads all panels, and opens the print dialog when they are there. */
function printAll(): void {
  dispatchEvent(new Event(PREPARE));
  const end = Date.now() + LONGEST_WAIT_MS;
  const look = () => {
    if (isLoading() && Date.now() < end) setTimeout(look, 50);
    else print();
  };
  // First lets the panels render. They show skeletons while they load.
  setTimeout(look, 50);
}

/** Takes over Ctrl+P, because a browser would print before the panels are loaded. */
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
