import { useEffect } from 'preact/hooks';

/**
 * Tells the page around a frame how high the reports are, so that the frame needs no scrollbar. The script that
 * settings/embeds.tsx writes gets this message. The message has only the height, so any page may read it.
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
