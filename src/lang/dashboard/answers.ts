import type { Messages } from '../messages.ts';

/** What answers of the API say, notices and errors; the API itself speaks English. */
// biome-ignore format: a line for each message
export const ANSWERS = {
  '{visits} visits are set aside by {exclusions} exclusions.': { de: '{visits} Besuche sind durch {exclusions} Ausschlüsse beiseitegelegt.', fr: '{visits} visites sont mises de côté par {exclusions} exclusions.', es: '{visits} visitas están apartadas por {exclusions} exclusiones.' },
  '{visits} visits are set aside by 1 exclusion.': { de: '{visits} Besuche sind durch 1 Ausschluss beiseitegelegt.', fr: '{visits} visites sont mises de côté par 1 exclusion.', es: '{visits} visitas están apartadas por 1 exclusión.' },
  '1 visit is set aside by 1 exclusion.': { de: '1 Besuch ist durch 1 Ausschluss beiseitegelegt.', fr: '1 visite est mise de côté par 1 exclusion.', es: '1 visita está apartada por 1 exclusión.' },
} as const satisfies Messages;
