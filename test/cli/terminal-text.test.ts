import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fitWords, plain } from '../../cli/terminal-text.ts';

describe('text for a terminal', () => {
  it('has no control characters and no bidi marks, and keeps all else', () => {
    assert.equal(plain('a\u001b[31mb\u0007\tc\u009bd\u007f'), 'a [31mb  c d ');
    for (const code of [0x61c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069]) {
      assert.equal(plain(`ab${String.fromCodePoint(code)}c`), 'abc', code.toString(16));
    }
    const kept = 'Ünïcode שלום 漢字 👩‍👩‍👧 — “x”';
    assert.equal(plain(kept), kept);
  });

  it('cuts words to the width, where there is one', () => {
    assert.equal(fitWords('see https://a.test/abcdef now', 10), 'see https://a… now');
    assert.equal(fitWords('see https://a.test/abcdef now', undefined), 'see https://a.test/abcdef now');
    assert.equal(fitWords('漢字漢字漢字漢字漢字漢字', 4), '漢字漢字漢字漢字漢字漢字');
  });

  it('leaves no longer word of ASCII, and short ones as they are', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (text, columns) => {
        const words = fitWords(text, columns).split(/[^!-~…]+/);
        assert.ok(words.every((word) => word.length <= columns));
        if (text.split(' ').every((word) => word.length <= columns))
          assert.equal(fitWords(text, columns), text);
      }),
    );
  });
});
