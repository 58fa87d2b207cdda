import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessLanguage, languageOfText } from '../../../shards/text/language.ts';

/** Article 1 of the Universal Declaration of Human Rights, and a few sentences of the kind that pages hold. */
const SAMPLES: readonly (readonly [lang: string, text: string])[] = [
  [
    'en',
    'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood.',
  ],
  [
    'de',
    'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen.',
  ],
  [
    'fr',
    'Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité.',
  ],
  [
    'es',
    'Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.',
  ],
  [
    'it',
    'Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di coscienza e devono agire gli uni verso gli altri in spirito di fratellanza.',
  ],
  [
    'nl',
    'Alle mensen worden vrij en gelijk in waardigheid en rechten geboren. Zij zijn begiftigd met verstand en geweten, en behoren zich jegens elkander in een geest van broederschap te gedragen.',
  ],
  [
    'ru',
    'Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства, если это не так.',
  ],
  ['ja', 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。'],
  ['zh', '人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。'],
  ['ko', '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.'],
  ['el', 'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.'],
  ['ar', 'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق.'],
  ['th', 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ'],
];

for (const [lang, text] of SAMPLES) {
  test(`guessLanguage - ${lang}`, () => assert.equal(guessLanguage(text), lang));
}

test('guessLanguage - says nothing where nothing shows', () => {
  for (const text of [
    '',
    '1234 !?',
    'GNU GPL 3.0',
    'Smith Jones Miller',
    'foo(bar, baz)',
    '\ud800'.repeat(5),
  ]) {
    assert.equal(guessLanguage(text), '', text);
  }
});

const sample = (wanted: string): string =>
  SAMPLES.find(([lang]) => lang === wanted)?.[1] ?? assert.fail(wanted);

test("languageOfText - a page's own word counts where its text does not speak against it", () => {
  const cases = [
    ['de', 'de', 'de'],
    ['de', '', 'de'],
    // A copied template, a translation left undone.
    ['de', 'en', 'de'],
    ['en', 'fr', 'en'],
    ['ru', 'en', 'ru'],
    ['en', 'lt', 'en'],
    // The detector knows neither Galician nor Corsican.
    ['es', 'gl', 'gl'],
    ['it', 'co', 'co'],
  ] as const;
  for (const [text, declared, expected] of cases) {
    assert.equal(languageOfText(sample(text), declared), expected, `${text} declared as ${declared}`);
  }
  assert.equal(languageOfText('Smith Jones Miller', 'sv'), 'sv');
  assert.equal(languageOfText('Smith Jones Miller', ''), '');
});

test('languageOfText - among languages that look alike the page decides', () => {
  assert.equal(languageOfText('東京都千代田区', 'ja'), 'ja');
  assert.equal(languageOfText(sample('ar'), 'fa'), 'fa');
  assert.equal(languageOfText('東京都千代田区', 'en'), 'zh');
});
