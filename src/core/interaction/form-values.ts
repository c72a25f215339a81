/** The values for a form: by type, name, label and limits of each field. The same form gets the same values. */
import type { FieldFacts, FieldValue, FormFacts } from '../../model/page-actions.ts';

/** Values by the name of a field; the first match counts. */
const BY_NAME: readonly (readonly [pattern: RegExp, value: string])[] = [
  [/e-?mail|courriel|correo|почт|メール|邮箱|郵箱/i, 'orbweaver@example.com'],
  [
    /pass(?:word|code|phrase)?|kennwort|passwort|mot de passe|contraseña|senha|wachtwoord|hasło|парол|密码|パスワード/i,
    'Orbweaver1!',
  ],
  [/phone|tel(?:efon|éfono|efono)?\b|mobile|handy|电话|電話|телефон/i, '+15555550100'],
  [/zip|postal|postcode|plz|code postal|código postal|cap\b/i, '10115'],
  [/house.?n|hausnummer/i, '1'],
  [/street|address|adresse|straße|strasse|dirección|indirizzo|endereço|adres|адрес/i, '1 Example Street'],
  [/city|town|stadt|ort\b|ville|ciudad|città|cidade|miasto|город/i, 'Berlin'],
  [/country|land\b|pays|país|paese|kraj|страна/i, 'Germany'],
  [/state|region|province|provincia|bundesland/i, 'Berlin'],
  [/first.?name|given|vorname|prénom|nombre|nome\b|imię|имя/i, 'Orb'],
  [/last.?name|family|surname|nachname|apellido|cognome|sobrenome|nazwisko|фамилия/i, 'Weaver'],
  [/user|login|nick|account/i, 'orbweaver'],
  [/company|organi[sz]ation|firma|entreprise|empresa|azienda/i, 'Example'],
  [/url|website|homepage|site\b/i, 'https://example.com/'],
  [/card.?n|cc-?number/i, '4111111111111111'],
  [/cvc|cvv|security code/i, '123'],
  [/expir/i, '12/39'],
  [/age\b|alter\b/i, '30'],
  [/year|jahr|année|año/i, '2024'],
  [/month|monat|mois|mes\b/i, '6'],
  [/amount|quantity|number|count|menge|anzahl|cantidad|quantité/i, '1'],
  [/name/i, 'Orb Weaver'],
  [/^q$|query|search|such|recherch|busca|cerca|zoek|szukaj|поиск|搜索|検索/i, 'a'],
];

const BY_TYPE: Readonly<Record<string, string>> = {
  email: 'orbweaver@example.com',
  password: 'Orbweaver1!',
  tel: '+15555550100',
  url: 'https://example.com/',
  date: '2024-06-15',
  'datetime-local': '2024-06-15T12:00',
  month: '2024-06',
  week: '2024-W24',
  time: '12:00',
  color: '#336699',
  search: 'a',
};

/** The values to write. Fields that have a value already keep it. */
export function formValues({ fields }: Pick<FormFacts, 'fields'>): readonly FieldValue[] {
  const chosen = new Set<string>();
  const decided = new Set(fields.filter(({ type, checked }) => type === 'radio' && checked).map(({ name }) => name));
  return fields.flatMap((field): FieldValue[] => {
    const { index, type, name, checked, required, options, tag, filled } = field;
    if (type === 'radio') {
      if (chosen.has(name)) return [];
      chosen.add(name);
      return decided.has(name) ? [] : [{ index, value: '', check: true }];
    }
    // a box that is not required may order something
    if (type === 'checkbox')
      return checked || !(required || mustAgree(field)) ? [] : [{ index, value: '', check: true }];
    if (tag === 'select') {
      const [first] = options;
      return filled || first === undefined ? [] : [{ index, value: first, check: false }];
    }
    return filled ? [] : [{ index, value: textValue(field), check: false }];
  });
}

function mustAgree({ name, label }: FieldFacts): boolean {
  return /agree|terms|consent|privacy|accept|agb|datenschutz|condition/i.test(`${name} ${label}`);
}

function textValue(field: FieldFacts): string {
  const { type, name, label, autocomplete, minLength, maxLength } = field;
  if (type === 'number' || type === 'range') return numberValue(field);
  const typed = BY_TYPE[type];
  if (typed !== undefined) return within(typed, field);
  if (/^\D*(?:\\d|\[0-9\])/.test(field.pattern)) return digitsFor(field.pattern);
  const called = `${autocomplete} ${name} ${label}`;
  const known = BY_NAME.find(([pattern]) => pattern.test(called) || pattern.test(name));
  const text = known?.[1] ?? 'orbweaver';
  const long = text.length < minLength ? text.padEnd(minLength, 'a') : text;
  return maxLength > 0 ? long.slice(0, maxLength) : long;
}

function numberValue({ min, max, step }: FieldFacts): string {
  const [low, high] = [Number.parseFloat(min), Number.parseFloat(max)];
  const start = Number.isFinite(low) ? low : Number.isFinite(high) ? Math.min(1, high) : 1;
  return String(step === 'any' ? start : Number.isInteger(start) ? start : Math.ceil(start * 1e6) / 1e6);
}

/** A date outside the limits of its field becomes the nearest limit. */
function within(value: string, { min, max }: FieldFacts): string {
  if (min !== '' && value < min) return min;
  return max !== '' && value > max ? max : value;
}

/** `\d{5}` and the like. */
function digitsFor(pattern: string): string {
  const length = Number(/\{(\d+)/.exec(pattern)?.[1] ?? 4);
  return '1234567890'.repeat(Math.ceil(Math.min(length, 40) / 10)).slice(0, Math.min(length, 40));
}
