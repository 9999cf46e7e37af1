import { useEffect } from 'preact/hooks';

/**
 * A page of another website may show the reports in an `<iframe>`. This function tells that page how high the reports
 * are, so that the `<iframe>` needs no scrollbar. A script in that page sets the height (settings/embeds.tsx). The
 * message has only the height, so any page may read it.
 */
export function useFrameHeight(): void {
  useEffect(() => {
    if (parent === window) return undefined;
    const tell = () => parent.postMessage({ daybookHeight: document.getElementById('app')?.scrollHeight ?? 0 }, '*');
    const observer = new ResizeObserver(tell);
    const app = document.getElementById('app');
    if (app) observer.observe(app);
    return () => observer.disconnect();
  }, []);
}
