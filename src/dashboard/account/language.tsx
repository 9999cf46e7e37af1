import type { AccountLanguage } from '../../api/account.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../lang/languages.ts';
import { send, useData } from '../core/api.ts';
import { t } from '../core/texts.ts';
import { useAutosave } from '../ui/autosave.ts';
import { Block } from '../ui/block.tsx';
import { Answer } from '../ui/loaded.tsx';
import { SavedField } from '../ui/saved-field.tsx';

const PATH = '/account/language';

export function LanguageChoice() {
  return (
    <Block
      title={t('Language')}
      about={t(
        'The dashboard uses this language. If you choose one, your e-mails use it too. The sign-in page uses the language of your browser.',
      )}
    >
      <Answer of={useData<AccountLanguage>(PATH)} lines={2}>
        {(chosen) => <Choice {...chosen} />}
      </Answer>
    </Block>
  );
}

/**
 * Stores the chosen language of the user, and loads the page again in this language. With null, the browser's language
 * decides.
 */
const choose = async (language: Language | null): Promise<void> => {
  await send('PATCH', PATH, { language });
  location.reload();
};

function Choice({ language }: AccountLanguage) {
  const { value, error, status, set } = useAutosave(language, choose);
  const change = (text: string) => set(LANGUAGES.find((one) => one === text) ?? null);
  return (
    <SavedField label={t('Language')} error={error} status={status}>
      <select value={value ?? ''} onChange={({ currentTarget }) => change(currentTarget.value)}>
        <option value="">{t('Language of the browser')}</option>
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {LANGUAGE_NAMES[one]}
          </option>
        ))}
      </select>
    </SavedField>
  );
}
