import { textParts as partsOf } from './text-parts';

const textParts = (text: string) => partsOf(text, 'https://hive.blog/@{account}');

/** Each link is between two `|`. */
const marked = [
  // Punctuation, brackets, quotes and Markdown around the address.
  'see |https://en.wikipedia.org/wiki/Terminator_(franchise)|.',
  '(|https://en.wikipedia.org/wiki/Terminator_(franchise)|)',
  '[|https://en.wikipedia.org/wiki/Terminator_(franchise)|]',
  '{|https://en.wikipedia.org/wiki/Terminator_(franchise)|}',
  '**|https://en.wikipedia.org/wiki/Terminator_(franchise)|**',
  '“|https://en.wikipedia.org/wiki/Terminator_(franchise)|”',
  '«|https://en.wikipedia.org/wiki/Terminator_(franchise)|»',
  '|https://en.wikipedia.org/wiki/Terminator_(franchise)|。',
  '|https://en.wikipedia.org/wiki/Terminator_(franchise)|，谢谢',
  '（|https://en.wikipedia.org/wiki/Terminator_(franchise)|）',
  '「|https://en.wikipedia.org/wiki/Terminator_(franchise)|」です',
  '|https://en.wikipedia.org/wiki/Terminator_(franchise)|،',
  '|https://en.wikipedia.org/wiki/Terminator_(franchise)|।',
  "|https://a.example/it's|",
  '(see |http://hive.io/a|.).',
  '|http://hive.io/(a)|.)!',
  '[text](|https://hive.io/a|)를',
  '|HTTPS://Hive.io|!',
  '(|http://hive.io/?q[]=1&r={2}|)',
  "'|https://hive.io/a|'입니다",
  '_|https://hive.io/a_b|_, ~~|https://hive.io/~c|~~ or *|https://hive.io/d|*',
  '**|https://hive.io/a|**입니다',
  '"|https://hive.io|" `|https://hive.io|` <|https://hive.io|>',
  'two lines\n|https://hive.io|\nend',
  '|https://hive.io:8443/a|: |http://localhost:3000|, |http://[::1]:80/|',
  '|https://hive.io/|\u202Egpj.exe |https://hive.io/a|\u200Bb |https://hive.io/c|\u00ADd',
  '|https://hive.io/🐝/👨🏽|…',
  '|https://web.archive.org/web/*/https://hive.io/|',
  '|https://x.example/alice_| |https://a.example/?q=*| |https://b.example/~|',
  '|https://hive.blog:8080|谢谢',
  // Other scripts.
  '看|https://zh.wikipedia.org/wiki/蜜蜂|。',
  '《|https://hive.io/a|》、【|https://hive.io/b|】；|https://hive.io/c|！',
  '访问|https://hive.blog|谢谢',
  '|https://例え.jp/パス|！',
  '|https://ja.wikipedia.org/wiki/レオナルド・ダ・ヴィンチ|』',
  '|https://hive.blog|입니다. (|https://ko.wikipedia.org/wiki/꿀벌|)입니다',
  'انظر |https://ar.wikipedia.org/wiki/نحل_العسل|؟',
  '|https://fa.wikipedia.org/wiki/زنبور|؛ |https://ur.wikipedia.org/wiki/شہد|۔',
  'ראו ״|https://he.wikipedia.org/wiki/צה״ל|״',
  "|https://he.wikipedia.org/wiki/ג'ירפה|׃",
  'देखें |https://hi.wikipedia.org/wiki/मधुमक्खी|॥',
  'ดู|https://th.wikipedia.org/wiki/ผึ้ง| นะ |https://hive.blog|ได้',
  "|https://пример.испытание/путь|, |https://uk.wikipedia.org/wiki/Об'єкт|.",
  '|https://bücher.example/ß|',
  // Without a scheme.
  'On |www.hive.blog|.',
  '看|www.hive.blog|，(|WWW.bücher.example/a_(b)|)',
  '|hive.blog/@alice|',
  '(|peakd.com/@alice/a-post|), **|Ecency.com/@bob|**',
  'ดู|wallet.hive.blog/@alice|」',
  // Accounts.
  '|@alice| |@Alice| |@ALL|',
  '|@alice|\'s (|@good-karma|) "|@hive.fund|" **|@bob|** _|@carol|_ -|@dave|-',
  'Thanks |@alice.bob|. And |@alice|... |@alice|.Great',
  '谢谢|@alice|和|@bob|。ขอบคุณ|@carol|ครับ |@dave|님 |@erin|さん',
  'שלח ל|@alice|, و|@bob|،',
  'धन्यवाद |@alice|।',
  // Communities.
  '|#hive-12345|, (|#HIVE-123456|) |#hive-1234567|. 看|#hive-12345|。',
  '|@alice|/a-post, |@sixteen-chars-ab|',
];

it.each(marked)('makes links of what is between bars in %j', (row) => {
  const expected = row.split('|').flatMap((text, index) => (text === '' ? [] : [{ text, isLink: index % 2 === 1 }]));
  const parts = textParts(row.replaceAll('|', ''));
  expect(parts.map(({ text, href }) => ({ text, isLink: href !== undefined }))).toEqual(expected);
});

it.each([
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'https://',
  'ftp://hive.io',
  'no address',
  '',
  // User info shows a host that is not the address's.
  'https://example.com@evil.example/',
  'https://example.com:443@evil.example/',
  'https://@evil.example/',
  'https:///example.com@evil.example/',
  'www.example.com@evil.example',
  'https://example.com＠evil.example/',
  // Signs that look like a slash or a colon.
  'https://hive.blog⁄login.evil.example/ https://hive.blog∕a.evil.example/ www.hive.blog⧸a.evil.example https://hive.blog╱a.b/',
  'https://hive.blog꞉80.evil.example/ https://hive.blog\u0338a.evil.example/',
  // Parts of words, e-mail addresses and other addresses.
  'foo@bar.com, foo_@bar.com, Фёдор@example.com, foo@www.bar.com, foo@hive.blog/a',
  'nothive.blog/@alice, not-hive.blog/@alice, a.hive.blog/@alice, awww.hive.blog',
  'hive.blog, peakd.com, www.hive, www...',
  '#hive-1234, #hive-412345, #hive-12345678, #hive-12345a, #hive-12345-a, ##hive-12345, a#hive-12345, a.com/#hive-12345',
  'example.com/@alice, example.com/?author=@alice, ftp://hive.blog/@alice',
  // Not account names.
  '@ab @1abc @seventeen-chars-a @alice.bo @alice_bob @alice_ @aliceé @alice@example.com @@alice @-abc',
])('makes no link of %j', (text) => {
  expect(textParts(text)).toEqual(text === '' ? [] : [{ text }]);
});

it.each([
  ['https://hive.io/a b', 'https://hive.io/a'],
  ['HTTPS://Hive.io', 'https://hive.io/'],
  ['http://hive.io/?q=ü', 'http://hive.io/?q=%C3%BC'],
  ['https://hіve.blog', 'https://xn--hve-jhd.blog/'],
  ['www.Hive.blog', 'https://www.hive.blog/'],
  ['hive.blog/@alice', 'https://hive.blog/@alice'],
  ['3Speak.tv/watch?v=a', 'https://3speak.tv/watch?v=a'],
  ['#Hive-12345.', 'https://hive.blog/trending/hive-12345'],
  ['@alice.bob.', 'https://hive.blog/@alice.bob'],
  ['@Alice.bOB.', 'https://hive.blog/@alice.bob'],
  ['https://example.com\\@evil.example/', 'https://example.com/@evil.example/'],
])('links %j to %s', (text, href) => {
  expect(textParts(text)[0]?.href).toBe(href);
});

it.each([
  ['closing brackets', `http://a${'.'.repeat(2_660)}x${')'.repeat(1_320)}`],
  ['opening brackets', `http://a/${'('.repeat(100_000)}`],
  ['punctuation', `http://a/${'.'.repeat(100_000)}x`],
  ['addresses without a host', 'http://)'.repeat(12_500)],
  ['rejected addresses', 'http://a@b)'.repeat(10_000)],
  ['one rejected address of many', 'http://a@'.repeat(11_000)],
  [
    'a long host',
    `http://${Array.from({ length: 40_000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('')}`,
  ],
  ['a long host before text', `http://a${'.bb'.repeat(33_000)}.谢谢`],
  ['sites without a scheme', 'www.'.repeat(25_000)],
  ['signs', '@'.repeat(100_000)],
  ['underscores', '_'.repeat(100_000)],
  ['a long name', `@${'a-'.repeat(50_000)}`],
  ['a long name of segments', `@${'abc.'.repeat(25_000)}é`],
  ['short names', '@ab '.repeat(25_000)],
  ['apostrophes', `http://a/${"'a".repeat(50_000)}`],
])('splits a text of %s in linear time', (_name, text) => {
  const startMs = performance.now();
  const parts = textParts(text);
  expect(performance.now() - startMs).toBeLessThan(1_000);
  expect(parts.map((part) => part.text).join('')).toBe(text);
});

it.each(['http://a ', '@alice '])(
  'makes no more than 50 links, because hundreds in each message would freeze the page',
  (link) => {
    const text = link.repeat(444);
    const parts = textParts(text);
    expect(parts.filter(({ href }) => href !== undefined)).toHaveLength(50);
    expect(parts.map((part) => part.text).join('')).toBe(text);
  },
);
