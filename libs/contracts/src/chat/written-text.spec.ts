import { clientFrames } from './client-frames';
import { defaultChatLimits } from './limits';
import { channelBody } from './requests';
import { writtenName } from './written-name';
import { writtenText } from './written-text';

/** Code points without a glyph, one of each kind. */
const invisible = [
  '\u00AD', // soft hyphen
  '\u034F', // combining grapheme joiner
  '\u061C', // Arabic letter mark
  '\u115F', // Hangul filler
  '\u17B4', // Khmer inherent vowel
  '\u180E', // Mongolian vowel separator
  '\u200B', // zero width space
  '\u200C', // zero width non-joiner
  '\u200D', // zero width joiner
  '\u202E', // right-to-left override
  '\u2066', // left-to-right isolate
  '\u2800', // braille blank
  '\u3164', // Hangul filler
  '\uFE0F', // variation selector
  '\uFEFF', // byte order mark
  '\uFFA0', // half-width Hangul filler
  '\u{E0041}', // tag
  '\u{E0100}', // variation selector of ideographs
  '\u{1D159}', // musical null notehead
  '\u{16FE4}', // Khitan small script filler
  '\u{13430}', // Egyptian hieroglyph vertical joiner
  '\u{1BCA0}', // shorthand format letter overlap
  '\uFFF9', // interlinear annotation anchor
  '\uFFFA', // interlinear annotation separator
  '\uFFFB', // interlinear annotation terminator
  '\uFFFC', // object replacement character
  '\uE000', // private use
  '\u{10FFFD}', // private use
  '\u{10FFFF}', // noncharacter
  '\uFDD0', // noncharacter
  '\u0378', // unassigned
];

describe('text', () => {
  const text = writtenText(defaultChatLimits.messageCharacters);
  const isText = (written: string) => text.safeParse(written).success;

  it.each(['a', ' a ', 'a\tb', 'a\r\nb\n', '\u200Ba', 'می\u200Cخواهم', 'ක්\u200Dෂ', '❤️', '🏳️‍🌈', 'a\u007F', '\uD83D'])(
    'may be %j',
    (written) => {
      expect(isText(written)).toBe(true);
    },
  );

  it.each([
    ...invisible,
    invisible.join(''),
    '',
    ' \t\r\n',
    '\u00A0\u3000\u2028',
    '\u0085',
    ' \u3164 \u2800\n',
    '\u0301',
  ])('is blank as %j', (written) => {
    expect(text.safeParse(written)).toMatchObject({ error: { issues: [{ message: 'must not be blank' }] } });
  });

  it('has no C0 control characters other than tab, line feed and carriage return', () => {
    const c0 = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code));
    expect(c0.filter((control) => isText(`a${control}b`))).toEqual(['\t', '\n', '\r']);
  });

  it('needs at most four bytes per character in JSON', () => {
    for (const character of ['🐝', '"', '\\', '\n', '\u2028', '\u007F', '\uD83D']) {
      const written = text.parse(`a${character.repeat(defaultChatLimits.messageCharacters - 1)}`);
      expect(Buffer.byteLength(JSON.stringify(written))).toBeLessThanOrEqual(
        4 * defaultChatLimits.messageCharacters + 2,
      );
    }
  });
});

describe('a name', () => {
  const name = writtenName(64);
  const isName = (written: string) => name.safeParse(written).success;

  it.each(['Bees', 'Bienen & Blüten', '蜂', 'عسل', 'क्षेत्र', '🐝', '!', '1'])('may be %j', (written) => {
    expect(name.parse(written)).toBe(written);
  });

  it.each([
    '👩‍🌾 farm',
    '❤️',
    '☺️ 😀',
    '1️⃣',
    '👨‍👩‍👧‍👦',
    '🧑🏽‍🚀',
    '🏳️‍🌈',
    '🇩🇪',
    '🏳\u200D🌈',
    '❤\u200D🔥',
    '🏴\u200D☠',
    '⛹\u200D♀',
    '⛹🏽\u200D♀',
    '👁\u200D🗨',
    '☝🏽',
    '©',
    '\u{1F3F3}\uFE0F\u200D\u26A7',
    '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
  ])('may have joiners, variation selectors and tags in the emoji %j', (written) => {
    expect(name.parse(written)).toBe(written);
  });

  it.each([
    [' a ', 'a'],
    ['\u3000蜂\u00A0', '蜂'],
    ['a\n', 'a'],
    ['Bienen & Blu\u0308ten', 'Bienen & Bl\u00FCten'],
    ['\u1112\u1161\u11AB', '\uD55C'],
  ])('is trimmed and normalized: %j', (written, stored) => {
    expect(name.parse(written)).toBe(stored);
  });

  it('may be too long before it is normalized', () => {
    expect(name.parse('u\u0308'.repeat(64))).toBe('\u00FC'.repeat(64));
  });

  // Normalization orders them, which takes quadratic time.
  it('may have 30 combining marks in a row, and no more', () => {
    expect([30, 31].map((count) => isName(`a${'\u20DD'.repeat(count)}`))).toEqual([true, false]);
  });

  // Persian, Urdu, Hindi, Marathi, Bengali, Sinhala and Malayalam.
  it.each([
    'می\u200Cخواهم',
    'خُلُق\u200Cها',
    'تجربہ\u200Cکار',
    'क्\u200Dष',
    'क्\u200Cष',
    'दऱ्\u200Dया',
    'ক্\u200Cষ',
    'ශ්\u200Dරී',
    'അവന്\u200Dറെ',
  ])('may have joiners that change how a word looks: %j', (written) => {
    expect(name.parse(written)).toBe(written.normalize('NFC'));
  });

  it.each([
    'دا\u200Cد',
    'می\u200C',
    '\u200Cمی',
    'می\u200C\u200Cخواهم',
    'می\u200Dخواهم',
    'aم\u200Cb',
    'क\u200Dष',
    'क्\u200D\u200Dष',
    'वाक्\u200C',
    'वाक्\u200C a',
    'क्\u200Ca',
    'a\u094D\u200Db',
    'क\u09CD\u200Dष',
    'ب\u200Cء',
    'ﺏ\u200Cﺏ',
    '\u06E5\u200Cب',
    '\u{1EE01}\u200C\u{1EE01}',
  ])('may not have joiners that change nothing: %j', (written) => {
    expect(isName(written)).toBe(false);
  });

  it.each(invisible.filter((character) => character.trim() !== ''))(
    'may not have %j, alone or beside others',
    (character) => {
      for (const written of [character, `a${character}`, `${character}a`, `a${character}b`]) {
        expect(isName(written)).toBe(false);
      }
    },
  );

  it.each([
    ['a joiner between letters', 'a\u200Db'],
    ['a joiner between emoji that make no other', '👩\u200D👩'],
    ['a joiner after an emoji', '👩\u200D'],
    ['a second variation selector', '❤\uFE0F\uFE0F'],
    ['a variation selector after a digit', '1\uFE0F'],
    ['tags after an emoji', '🐝\u{E0061}\u{E007F}'],
    ['a line break', 'a\nb'],
    ['a tab', 'a\tb'],
    ['a C1 control character', 'a\u0085b'],
    ['a separator of paragraphs', 'a\u2029b'],
    ['a no-break space', 'a\u00A0b'],
    ['a byte order mark', 'a\uFEFFb'],
    ['a thin space', 'a\u2009b'],
    ['two spaces in a row', 'a  b'],
    ['only a combining mark', '\u0301'],
    ['a variation selector for text', '☎\uFE0E'],
    ['a joiner between symbols that make no emoji', '❤\u200D☠'],
  ])('may not have %s', (_what, written) => {
    expect(isName(written)).toBe(false);
  });

  it('is validated for groups and channels', () => {
    for (const written of ['a\u3164', '\u3164', 'a\u200Db']) {
      const renamed = { conversation_id: '01J', name: written };
      expect(clientFrames()['rename-conversation'].safeParse(renamed).success).toBe(false);
      expect(channelBody.safeParse({ name: written }).success).toBe(false);
    }
  });
});
