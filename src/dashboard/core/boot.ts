import type { Boot } from '../../forms/application.ts';

export const boot: Boot = JSON.parse(document.getElementById('boot')?.textContent ?? 'null');
