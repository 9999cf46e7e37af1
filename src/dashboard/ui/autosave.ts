import { useEffect, useState } from 'preact/hooks';
import { t } from '../core/texts.ts';
import { useSubmit } from './form.tsx';

/**
 * Saves a value as soon as the user chooses it. The page shows the chosen value immediately, and "Saved" for two
 * seconds after saving. If saving fails, the page shows the previous value again, and the error.
 */
export function useAutosave<Value>(current: Value, save: (value: Value) => Promise<unknown>) {
  const { isBusy, error, run } = useSubmit();
  const [chosen, choose] = useState<{ value: Value }>();
  const [isSaved, setSaved] = useState(false);
  useEffect(() => choose(undefined), [current]);
  useEffect(() => {
    if (!isSaved) return undefined;
    const timer = setTimeout(() => setSaved(false), 2_000);
    return () => clearTimeout(timer);
  }, [isSaved]);

  return {
    value: chosen ? chosen.value : current,
    error: error?.message,
    status: isBusy ? '…' : isSaved ? t('Saved') : '',
    async set(value: Value) {
      // While a value is being saved, another choice is ignored. But the browser already shows that choice. So the
      // control is rendered again, which resets it.
      if (isBusy) return choose((before) => before && { ...before });
      choose({ value });
      setSaved(false);
      const isDone = await run(() => save(value));
      setSaved(isDone);
      if (!isDone) choose(undefined);
    },
  };
}
