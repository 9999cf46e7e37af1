import { useEffect, useState } from 'preact/hooks';

/** What is not there by then is left out of the paper. */
const LONGEST_WAIT_MS = 10_000;
const PREPARE = 'daybook-print';

/** Whether the page is about to be printed, from then on: all of it is loaded, also what nobody has scrolled to. */
export function useIsPrinted(): boolean {
  const [isPrinted, set] = useState(false);
  useEffect(() => {
    const print = () => set(true);
    const paper = matchMedia('print');
    const change = () => paper.matches && print();
    addEventListener('beforeprint', print);
    addEventListener(PREPARE, print);
    paper.addEventListener('change', change);
    // It may have begun before this was there to hear of it.
    change();
    return () => {
      removeEventListener('beforeprint', print);
      removeEventListener(PREPARE, print);
      paper.removeEventListener('change', change);
    };
  }, []);
  return isPrinted;
}

/** How often it is looked whether there is time for the rest. */
const LOOK_MS = 500;

/** What waits until somebody scrolls to it is not loading. */
const isBusy = (): boolean => document.querySelector('.skeleton:not(.panel > .skeleton), [aria-busy="true"]') !== null;

/**
 * Whether all that is seen of a view is there, so that there is time for the rest: one panel after the other, because each is busy
 * in its turn. Browsers that print wait for nothing, so that what was never asked for would be missing on paper.
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

/** Loads everything, and prints when it is there. */
function printAll(): void {
  dispatchEvent(new Event(PREPARE));
  const end = Date.now() + LONGEST_WAIT_MS;
  const look = () => {
    if (isLoading() && Date.now() < end) setTimeout(look, 50);
    else print();
  };
  // After the panels were rendered, which then have skeletons.
  setTimeout(look, 50);
}

/** Browsers wait for nothing that a page loads before it is printed, so that the keys for it are taken over. */
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
