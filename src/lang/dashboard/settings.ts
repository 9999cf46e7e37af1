import type { Messages } from '../messages.ts';

/** Texts that several parts of the settings use. */
// biome-ignore format: one line for each text, with all its translations
export const SETTINGS = {
  '{verb} {name}': { de: '{name}: {verb}', fr: '{verb} {name}', es: '{verb} {name}' },
  '{name} is gone.': { de: '{name} ist entfernt.', fr: '{name} a été retiré.', es: '{name} se ha quitado.' },
  '{name} counts again.': { de: '{name} zählt wieder.', fr: '{name} compte de nouveau.', es: '{name} vuelve a contar.' },
  'Added.': { de: 'Hinzugefügt.', fr: 'Ajouté.', es: 'Añadido.' },
  Cancel: { de: 'Abbrechen', fr: 'Annuler', es: 'Cancelar' },
  Change: { de: 'Ändern', fr: 'Modifier', es: 'Cambiar' },
  'Change {name}': { de: '{name} ändern', fr: 'Modifier {name}', es: 'Cambiar {name}' },
  Keep: { de: 'Behalten', fr: 'Garder', es: 'Conservar' },
  'Parts of {title}': { de: 'Teile von {title}', fr: 'Parties de {title}', es: 'Partes de {title}' },
  Remove: { de: 'Entfernen', fr: 'Retirer', es: 'Quitar' },
  Save: { de: 'Speichern', fr: 'Enregistrer', es: 'Guardar' },
  Saved: { de: 'Gespeichert', fr: 'Enregistré', es: 'Guardado' },
  'Saved.': { de: 'Gespeichert.', fr: 'Enregistré.', es: 'Guardado.' },
  'As in the browser': { de: 'Wie im Browser', fr: 'Comme dans le navigateur', es: 'Como en el navegador' },
  Language: { de: 'Sprache', fr: 'Langue', es: 'Idioma' },
  'Of this dashboard and its pages and, where you choose one, of mails to you. Where you sign in, the browser chooses.': { de: 'Dieser Oberfläche und ihrer Seiten und, wenn du eine wählst, der E-Mails an dich. Wo du dich anmeldest, wählt der Browser.', fr: 'De ce tableau de bord et de ses pages et, si vous en choisissez une, des e-mails qui vous sont adressés. Là où vous vous connectez, le navigateur choisit.', es: 'De este panel y sus páginas y, si eliges uno, de los correos que recibes. Donde inicias sesión, elige el navegador.' },
  'Of {count} pages of the last 30 days, none would change.': { de: { one: 'Von {count} Seite der letzten 30 Tage würde sich keine ändern.', other: 'Von {count} Seiten der letzten 30 Tage würde sich keine ändern.' }, fr: { one: 'Sur {count} page des 30 derniers jours, aucune ne changerait.', other: 'Sur {count} pages des 30 derniers jours, aucune ne changerait.' }, es: { one: 'De {count} página de los últimos 30 días no cambiaría ninguna.', other: 'De {count} páginas de los últimos 30 días no cambiaría ninguna.' } },
  'Of {count} pages of the last 30 days, {changed} would change:': { de: { one: 'Von {count} Seite der letzten 30 Tage würde sich {changed} ändern:', other: 'Von {count} Seiten der letzten 30 Tage würden sich {changed} ändern:' }, fr: { one: 'Sur {count} page des 30 derniers jours, {changed} changerait :', other: 'Sur {count} pages des 30 derniers jours, {changed} changeraient :' }, es: { one: 'De {count} página de los últimos 30 días cambiaría {changed}:', other: 'De {count} páginas de los últimos 30 días cambiarían {changed}:' } },
  'There are no pages of the last 30 days to try this with.': { de: 'In den letzten 30 Tagen gab es keine Seiten, mit denen sich das ausprobieren ließe.', fr: 'Aucune page des 30 derniers jours ne permet d’essayer ceci.', es: 'No hay páginas de los últimos 30 días con las que probar esto.' },
} as const satisfies Messages;
