import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ANALYSER_NAMES, createAnalyser, createAnalyzeInspector } from '../../../shards/text/analyser.ts';
import { BLOCK_GAP, type Token } from '../../../shards/text/token.ts';

const analyser = createAnalyser('default');
const lucene = createAnalyser('lucene-english');

/** `term@position[word]`, so that a case shows all of a token in one line. */
const show = (text: string, tokens: readonly Token[]): string =>
  tokens.map(({ term, position, start, end }) => `${term}@${position}[${text.slice(start, end)}]`).join(' ');
const shown = (text: string, lang = 'en'): string => show(text, analyser.analyse(text, lang));
const queried = (text: string, langs: string[] = ['en']): string =>
  analyser
    .analyseQuery(text, langs)
    .map(({ terms, position }) => `${terms.join('|')}@${position}`)
    .join(' ');

test('analyse - words, stems, possessives, contractions', () => {
  assert.equal(
    shown("Dogs' running, don't stop; O'Reilly's"),
    "dog@0[Dogs] run@1[running] dont@2[don't] stop@3[stop] oreilli@4[O'Reilly's]",
  );
  assert.equal(shown('it\u2019s Peter\u2019s'), 'it@0[it\u2019s] peter@1[Peter\u2019s]');
});

test('analyse - compounds are found as written and by their pieces, at the same positions', () => {
  assert.equal(shown('node.js rocks'), 'node.js@0[node.js] node@0[node] js@1[js] rock@2[rocks]');
  assert.equal(
    shown('pg_file_unlink()'),
    'pg_file_unlink@0[pg_file_unlink] pg@0[pg] file@1[file] unlink@2[unlink]',
  );
  assert.equal(shown('C++ and C#, g++.'), 'c++@0[C++] c@0[C] and@1[and] c#@2[C#] c@2[C] g++@3[g++] g@3[g]');
  assert.equal(shown('use .NET'), 'use@0[use] .net@1[.NET] net@1[NET]');
  assert.equal(shown('the U.S.A.'), 'the@0[the] usa@1[U.S.A] u@1[U] s@2[S] a@3[A]');
});

test('analyse - hyphens part words, which are also found written as one', () => {
  assert.equal(shown('e-mail'), 'email@0[e-mail] e@0[e] mail@1[mail]');
  assert.equal(
    shown('www-form-encoded', 'xx'),
    'wwwformencoded@0[www-form-encoded] www@0[www] form@1[form] encoded@2[encoded]',
  );
  assert.equal(shown('co-operates'), 'cooper@0[co-operates] co@0[co] oper@1[operates]');
  assert.equal(shown('UTF-8 C-3PO'), 'utf8@0[UTF-8] utf@0[UTF] 8@1[8] c3po@2[C-3PO] c@2[C] 3po@3[3PO]');
  assert.equal(shown('non\u2011breaking'), 'nonbreak@0[non\u2011breaking] non@0[non] break@1[breaking]');
  assert.equal(
    shown('conf-xx.yy -v --no', 'xx'),
    'conf@0[conf] xx.yy@1[xx.yy] xx@1[xx] yy@2[yy] v@3[v] no@4[no]',
  );
  assert.equal(shown('a-b-c-d-e', 'xx'), 'a@0[a] b@1[b] c@2[c] d@3[d] e@4[e]');
});

test('analyse - dates and numbers in groups are also one number, a range is not', () => {
  assert.equal(shown('2024-01-02'), '20240102@0[2024-01-02] 2024@0[2024] 01@1[01] 02@2[02]');
  assert.match(shown('978-3-16-148410-0'), /^9783161484100@0/);
  assert.equal(shown('10-20'), '10@0[10] 20@1[20]');
});

test('analyse - names with an ampersand or a slash', () => {
  assert.equal(shown("AT&T R&D's"), "at&t@0[AT&T] at@0[AT] t@1[T] r&d@2[R&D's] r@2[R] d@3[D's]");
  assert.equal(shown('left&right x & y', 'xx'), 'left@0[left] right@1[right] x@2[x] y@3[y]');
  assert.equal(shown('24/7, I/O.'), '24/7@0[24/7] 24@0[24] 7@1[7] i/o@2[I/O] i@2[I] o@3[O]');
  assert.equal(shown('TCP/IP', 'xx'), 'tcp/ip@0[TCP/IP] tcp@0[TCP] ip@1[IP]');
  assert.equal(
    shown('etc/passwd a/b/c', 'xx'),
    'etc@0[etc] passwd@1[passwd] a@2[a] b/c@3[b/c] b@3[b] c@4[c]',
  );
});

test('analyse - signs that only look like part of a word', () => {
  assert.equal(shown('a+b c+ #tag x# 1+1'), 'a@0[a] b@1[b] c@2[c] tag@3[tag] x#@4[x#] x@4[x] 1@5[1] 1@6[1]');
  assert.equal(shown('end.Next'), 'end.next@0[end.Next] end@0[end] next@1[Next]');
  assert.equal(shown('wait... really'), 'wait@0[wait] realli@1[really]');
  assert.equal(shown('___a__b_'), 'a__b@0[a__b] a@0[a] b@1[b]');
});

test('analyse - numbers stay whole and lose their thousands separators', () => {
  assert.equal(shown('3.14 1,000.50 10, 12'), '3.14@0[3.14] 1000.50@1[1,000.50] 10@2[10] 12@3[12]');
  assert.equal(shown('10² ½'), '10@0[10] 2@1[²] 1/2@2[½]');
  assert.equal(shown('v1.2.3'), 'v1.2.3@0[v1.2.3] v1@0[v1] 2@1[2] 3@2[3]');
});

test('analyse - CJK in bigrams and single characters, split where the script changes', () => {
  assert.equal(
    shown('iPhone手机壳', 'zh'),
    'iphone@0[iPhone] 手@1[手] 手机@1[手机] 机@2[机] 机壳@2[机壳] 壳@3[壳]',
  );
  assert.equal(shown('ﾃﾞｰﾀ', 'ja'), 'デ@0[ﾃﾞ] デー@0[ﾃﾞｰ] ー@1[ｰ] ータ@1[ｰﾀ] タ@2[ﾀ]');
  assert.equal(shown('𠀀字', 'zh'), '𠀀@0[𠀀] 𠀀字@0[𠀀字] 字@1[字]');
});

test('analyse - Thai by dictionary, also far into a long run', () => {
  assert.equal(shown('ภาษาไทยง่าย', 'th'), 'ภาษา@0[ภาษา] ไทย@1[ไทย] ง่าย@2[ง่าย]');
  const long = 'ภาษาไทยง่าย'.repeat(100);
  const terms = new Set(analyser.analyse(long, 'th').map(({ term }) => term));
  assert.deepEqual([...terms].sort(), ['ง่าย', 'ภาษา', 'ไทย'].sort());
});

test('analyse - invisible characters neither split nor show', () => {
  assert.equal(
    shown('so\u00adft\u200dware zero\u200bwidth'),
    'softwar@0[so\u00adft\u200dware] zero@1[zero] width@2[width]',
  );
});

test('analyse - elision where the language has it', () => {
  assert.equal(shown("l'avion", 'fr'), 'l@0[l] avion@1[avion]');
  assert.equal(shown("l'avion", 'en'), "lavion@0[l'avion]");
});

test('analyse - a block border leaves a gap, several in a row one', () => {
  assert.equal(shown('a\n\n\nb'), `a@0[a] b@${1 + BLOCK_GAP}[b]`);
  assert.equal(shown('\n\na'), 'a@0[a]');
});

test('analyse - pictographs are words, signs such as © are not', () => {
  assert.equal(shown('a 😀 b © c'), 'a@0[a] 😀@1[😀] b@2[b] c@3[c]');
});

test('analyse - a pictograph is one word with its variations, a family and a flag too; skin tones are taken off', () => {
  assert.equal(shown('👍🏽 👍'), '👍@0[👍🏽] 👍@1[👍]');
  assert.equal(shown('👨\u200d👩\u200d👧!'), '👨👩👧@0[👨\u200d👩\u200d👧]');
  assert.equal(shown('🇩🇪🇫🇷 🇩'), '🇩🇪@0[🇩🇪] 🇫🇷@1[🇫🇷] 🇩@2[🇩]');
  assert.equal(shown('❤\ufe0f ❤'), '❤@0[❤\ufe0f]');
});

test('analyse - Persian pieces that no space parts are found apart and together', () => {
  assert.equal(shown('می\u200cخواهم', 'fa'), 'ميخواهم@0[می\u200cخواهم] مي@0[می] خواهم@1[خواهم]');
});

test('analyse - Arabic and Hebrew without what readers leave out, digits as everywhere', () => {
  assert.equal(shown('كـــتاب كِتَاب', 'ar'), 'كتاب@0[كـــتاب] كتاب@1[كِتَاب]');
  assert.equal(shown('أحمد إحمد آحمد ١٢٣', 'ar'), 'احمد@0[أحمد] احمد@1[إحمد] احمد@2[آحمد] 123@3[١٢٣]');
  assert.equal(shown('שָׁלוֹם', 'he'), 'שלום@0[שָׁלוֹם]');
});

test('analyse - dotted and dotless i meet in every language', () => {
  for (const lang of ['tr', 'en', 'xx']) {
    const terms = new Set(
      ['İpek', 'ipek', 'Ipek', 'ıpek'].map((word) => analyser.analyse(word, lang)[0]?.term),
    );
    assert.equal(terms.size, 1, lang);
  }
});

test('analyse - umlauts meet their plain letters everywhere, and their spelling with e in German', () => {
  const term = (word: string, lang: string) => analyser.analyse(word, lang)[0]?.term;
  assert.equal(term('Müller', 'xx'), 'muller');
  assert.equal(term('Müller', 'de'), term('Mueller', 'de'));
  assert.equal(term('GROẞ', 'de'), term('groß', 'de'));
  assert.equal(term('groß', 'de'), term('gross', 'de'));
});

test('analyse - Lao and Khmer by dictionary', () => {
  assert.equal(shown('ພາສາລາວ', 'lo'), 'ພາສາ@0[ພາສາ] ລາວ@1[ລາວ]');
  assert.equal(shown('ខ្ញុំចង់', 'km'), 'ខ្ញុំ@0[ខ្ញុំ] ចង់@1[ចង់]');
});

test('analyse - long words are cut, endless ones dropped, both take a position', () => {
  const [first, second, ...rest] = analyser.analyse(`${'x'.repeat(100)} ${'y'.repeat(300)} z`, 'xx');
  assert.equal(first?.term, 'x'.repeat(64));
  assert.deepEqual([second?.term, second?.position, rest.length], ['z', 2, 0]);
});

test('analyseQuery - stems of each language, then the plain word, distinct', () => {
  assert.equal(
    queried('running houses', ['en', 'es']),
    'run|running@0 hous|hous|houses@1'.replace('hous|hous|', 'hous|'),
  );
  assert.equal(
    queried('canciones', ['es', 'en']),
    'cancion|cancion|canciones@0'.replace('cancion|cancion|', 'cancion|'),
  );
  assert.equal(queried('漢字検索'), '漢字@0 字検@1 検索@2');
  assert.equal(queried('字'), '字@0');
  assert.equal(queried('漢字 x'), '漢字@0 x@2');
});

test('analyseQuery - a word with hyphens is asked for by its pieces, beside a single letter also as one', () => {
  assert.equal(queried('time-sharing'), 'time@0 share|sharing@1');
  assert.equal(queried('e-mail server'), 'e|email@0 mail|email@1 server@2');
  assert.equal(queried('AT&T'), 'at&t@0 at@0 t@1');
  assert.equal(queried('I/O'), 'i|i/o@0 o|i/o@1');
});

test('analyseQuery - finds by position what the index holds', () => {
  const text = "Node.js and C++: l'été à İstanbul 漢字検索 pg_file";
  const indexed = new Set(analyser.analyse(text, 'en').map(({ term, position }) => `${term}@${position}`));
  for (const { terms, position } of analyser.analyseQuery(text, ['en'])) {
    assert.ok(
      terms.some((term) => indexed.has(`${term}@${position}`)),
      `${terms.join('|')}@${position}`,
    );
  }
});

test('prefixOf - folded and not stemmed; nothing where no word begins', () => {
  const cases = [
    ['Running', 'running'],
    ['Node.J', 'node.j'],
    ['C++', 'c++'],
    ['ét', 'et'],
    ['e-mai', 'emai'],
    ['pg_fi', 'pg_fi'],
    ['two words', ''],
    ['node.', 'node.'],
    ['pg_', 'pg_'],
    ['node.,', ''],
    ['漢', ''],
    ['', ''],
  ] as const;
  for (const [text, prefix] of cases) assert.equal(analyser.prefixOf(text), prefix, text);
  assert.equal(lucene.prefixOf('Étud'), 'étud');
  assert.equal(lucene.prefixOf('a b'), '');
  assert.equal(createAnalyser('whitespace').prefixOf('A.b'), 'A.b');
  assert.equal(createAnalyser('whitespace').prefixOf('a b'), '');
});

test("lucene-english - as Lucene's EnglishAnalyzer", () => {
  const text =
    "The running dogs' U.S.A. node.js C++ O'Reilly's pg_file 3.14 1,000.50 std:vector 漢字 © relational";
  assert.equal(
    show(text, lucene.analyse(text, '')),
    "run@1[running] dog@2[dogs] u.s.a@3[U.S.A] node.j@4[node.js] c@5[C] o'reilli@6[O'Reilly's] pg_file@7[pg_file] " +
      '3.14@8[3.14] 1,000.50@9[1,000.50] std:vector@10[std:vector] 漢@11[漢] 字@12[字] ©@13[©] relat@14[relational]',
  );
});

test('createAnalyser - an unknown name is an error that lists the known ones', () => {
  assert.throws(() => createAnalyser('toString'), { code: 'TEXT_UNKNOWN_ANALYSER', exit: 2 });
});

test('createAnalyzeInspector - tokens with offsets', () => {
  assert.deepEqual(createAnalyzeInspector('default')({ text: 'Dogs', lang: 'en' }), {
    tokens: [{ term: 'dog', position: 0, start: 0, end: 4 }],
  });
});

const piece = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    "'",
    '.',
    '_',
    ',',
    '+',
    '#',
    '\n',
    ' ',
    '\ud800',
    '\udc00',
    '\u00ad',
    'é',
    '漢',
    'ก',
    '😀',
    'a',
    '1',
    "'s",
  ),
);
const anyText = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

for (const name of ANALYSER_NAMES) {
  const any = createAnalyser(name);
  test(`${name} - any text: valid terms, offsets inside, positions rising`, () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('', 'en', 'fr', 'de', 'zh'), (text, lang) => {
        let position = 0;
        for (const token of any.analyse(text, lang)) {
          assert.ok(token.start >= 0 && token.start < token.end && token.end <= text.length);
          assert.ok(token.term !== '' && Array.from(token.term).length <= 64);
          assert.equal(Buffer.from(token.term).toString(), token.term, 'a lone surrogate');
          assert.ok(!token.term.includes('\n') && !token.term.includes('\0'));
          assert.ok(token.position >= position);
          position = token.position;
        }
        for (const { terms, start, end } of any.analyseQuery(text, [lang])) {
          assert.ok(start < end && end <= text.length);
          assert.equal(new Set(terms).size, terms.length);
          assert.ok(terms.length > 0 && !terms.includes(''));
        }
      }),
      { numRuns: 1000 },
    );
  });

  test(`${name} - analysing twice gives the same`, () => {
    fc.assert(
      fc.property(anyText, (text) => {
        assert.deepEqual(any.analyse(text, 'en'), createAnalyser(name).analyse(text, 'en'));
      }),
      { numRuns: 100 },
    );
  });
}

test('analyse - hostile repetition of any unit ends soon: no step is quadratic', () => {
  for (const unit of [
    'a',
    '.',
    'a.',
    "a'",
    '_',
    'a_',
    'é',
    '\u0301',
    'ก',
    '漢',
    '1,',
    '\ud83d',
    '+',
    'a\u00ad',
    'a-',
    '-',
    'a&',
    '1/',
    '/',
    '😀\u200d',
    '🇩',
    'ا\u200c',
  ]) {
    const text = unit.repeat(60_000);
    for (const any of [analyser, lucene]) assert.ok(any.analyse(text, 'en').length <= 2 * text.length, unit);
  }
});

test('whitespace - a text that was cut before keeps its tokens', () => {
  const whitespace = createAnalyser('whitespace');
  const text = ' The_x  C++\u00a0y\n3.14\t';
  assert.equal(show(text, whitespace.analyse(text, 'en')), 'The_x@0[The_x] C++@1[C++] y@2[y] 3.14@3[3.14]');
  const long = `a ${'b'.repeat(300)} c`;
  assert.deepEqual(
    whitespace.analyse(long, '').map(({ term, position }) => [term, position]),
    [
      ['a', 0],
      ['c', 2],
    ],
  );
});
