import { useEffect, useState } from 'preact/hooks';
import { useSubmit } from '../parts/form.tsx';

/**
 * A value that is saved as soon as it is chosen. What was chosen shows while it is on its way, "Saved" for a moment after,
 * and what was there before if it could not be saved.
 */
export function useAutosave<Value>(known: Value, save: (value: Value) => Promise<unknown>) {
  const { isBusy, error, run } = useSubmit();
  const [chosen, choose] = useState<{ value: Value }>();
  const [isSaved, setSaved] = useState(false);
  // Once it is known, nothing needs to stand in for it.
  useEffect(() => choose(undefined), [known]);
  useEffect(() => {
    if (!isSaved) return undefined;
    const timer = setTimeout(() => setSaved(false), 2_000);
    return () => clearTimeout(timer);
  }, [isSaved]);

  return {
    value: chosen ? chosen.value : known,
    error: error?.message,
    said: isBusy ? '…' : isSaved ? 'Saved' : '',
    async set(value: Value) {
      // The browser has switched already; drawing again takes that back.
      if (isBusy) return choose((before) => before && { ...before });
      choose({ value });
      setSaved(false);
      const isDone = await run(() => save(value));
      setSaved(isDone);
      if (!isDone) choose(undefined);
    },
  };
}
