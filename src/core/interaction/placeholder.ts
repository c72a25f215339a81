/** Choices of a list that choose nothing: "Please select…". In the eleven languages that {@link destructionOf} reads. Pure. */

/** Beginnings of such a text; the word may go on. */
const ASKS =
  'choose,select,please,pick,bitte,wähle,waehle,auswähl,auswahl,choisi,sélection,selection,veuillez,elige,elija,escoge,escoja,seleccion,scegli,selezion,escolh,selecion,kies,selecteer,maak een keuze,wybierz,wybór,proszę,prosze,выбер,выбрать,не выбрано,请选,請選,选择,選擇,選択,選んで';
const NAMES_NOTHING = new RegExp(`^[^\\p{L}\\p{N}]*(?:${ASKS.split(',').join('|')})`, 'iu');
const SIGNS_ONLY = /^[^\p{L}\p{N}]*$/u;
/** `-- Region --`, `Region…` */
const FRAMED = /^\s*(?:-{2,}|[–—=*<]{1,3}\s)|(?:…|\.{3})\s*$/u;

interface Choice {
  /** Place in its list. */
  readonly index: number;
  readonly value: string;
  readonly text: string;
}

/** Does it mean that nothing is chosen? Only the first choice of a list is read: further down such a word is a name. */
export function isPlaceholder({ index, value, text }: Choice): boolean {
  if (value.trim() === '') return true;
  return index === 0 && (SIGNS_ONLY.test(text) || NAMES_NOTHING.test(text) || FRAMED.test(text));
}
