import type { Messages } from '../messages.ts';

/** Texts that several parts of the settings use. */
// biome-ignore format: one line for each text, with all its translations
export const SETTINGS = {
  '{verb} {name}': { de: '{name}: {verb}', fr: '{verb} {name}', es: '{verb} {name}' },
  '{name} was removed.': { de: '{name} wurde entfernt.', fr: 'Suppression effectuée : {name}.', es: 'Se ha eliminado: {name}.' },
  '{name}: the visits count again.': { de: '{name}: Die Besuche zählen wieder.', fr: '{name} : les visites comptent de nouveau.', es: '{name}: las visitas vuelven a contar.' },
  'Added.': { de: 'Hinzugefügt.', fr: 'Ajouté.', es: 'Añadido.' },
  Cancel: { de: 'Abbrechen', fr: 'Annuler', es: 'Cancelar' },
  Change: { de: 'Ändern', fr: 'Modifier', es: 'Cambiar' },
  'Change {name}': { de: '{name} ändern', fr: 'Modifier {name}', es: 'Cambiar {name}' },
  Keep: { de: 'Behalten', fr: 'Garder', es: 'Conservar' },
  'Parts of {title}': { de: 'Bereiche: {title}', fr: 'Sections : {title}', es: 'Secciones: {title}' },
  Remove: { de: 'Entfernen', fr: 'Retirer', es: 'Quitar' },
  Save: { de: 'Speichern', fr: 'Enregistrer', es: 'Guardar' },
  Saved: { de: 'Gespeichert', fr: 'Enregistré', es: 'Guardado' },
  'Saved.': { de: 'Gespeichert.', fr: 'Enregistré.', es: 'Guardado.' },
  'Same as the browser': { de: 'Wie im Browser', fr: 'Comme le navigateur', es: 'Igual que el navegador' },
  Language: { de: 'Sprache', fr: 'Langue', es: 'Idioma' },
  'For the dashboard and, if you choose one, your e-mails. The sign-in page follows the browser.': { de: 'Für das Dashboard und, wenn du eine wählst, deine E-Mails. Die Anmeldeseite richtet sich nach dem Browser.', fr: 'Pour le tableau de bord et, si vous en choisissez une, vos e-mails. La page de connexion suit le navigateur.', es: 'Para el panel y, si eliges uno, tus correos. La página de inicio de sesión sigue al navegador.' },
  'None of the {count} pages from the last 30 days would change.': { de: { one: 'Die einzige Seite ({count}) der letzten 30 Tage würde sich nicht ändern.', other: 'Keine der {count} Seiten der letzten 30 Tage würde sich ändern.' }, fr: { one: 'La seule page ({count}) des 30 derniers jours ne changerait pas.', other: 'Aucune des {count} pages des 30 derniers jours ne changerait.' }, es: { one: 'La única página ({count}) de los últimos 30 días no cambiaría.', other: 'Ninguna de las {count} páginas de los últimos 30 días cambiaría.' } },
  'Pages from the last 30 days that would change: {changed} of {count}': { de: { one: 'Seiten der letzten 30 Tage, die sich ändern würden: {changed} von {count}', other: 'Seiten der letzten 30 Tage, die sich ändern würden: {changed} von {count}' }, fr: { one: 'Pages des 30 derniers jours qui changeraient : {changed} sur {count}', other: 'Pages des 30 derniers jours qui changeraient : {changed} sur {count}' }, es: { one: 'Páginas de los últimos 30 días que cambiarían: {changed} de {count}', other: 'Páginas de los últimos 30 días que cambiarían: {changed} de {count}' } },
  'No pages from the last 30 days to preview.': { de: 'Keine Seiten der letzten 30 Tage für eine Vorschau.', fr: 'Aucune page des 30 derniers jours pour un aperçu.', es: 'No hay páginas de los últimos 30 días para la vista previa.' },
} as const satisfies Messages;
