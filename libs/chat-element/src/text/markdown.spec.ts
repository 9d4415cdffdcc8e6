import { type Block, parseMarkdown, plainText } from './markdown';
import { type Run } from './markdown-inline';

const parse = (text: string): Block[] => parseMarkdown(text, 'https://hive.blog/@{account}');

/** As HTML; links have only their address as an attribute. */
function shown(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      if (block.type === 'text') return runsShown(block.runs);
      if (block.type === 'code') return `<pre>${block.text}</pre>`;
      if (block.type === 'quote') return `<blockquote>${shown(block.blocks)}</blockquote>`;
      const items = block.items.map(({ value, blocks: content }) => `<li${value ?? ''}>${shown(content)}</li>`);
      return `<list>${items.join('')}</list>`;
    })
    .join('|');
}

function runsShown(runs: readonly Run[]): string {
  return runs
    .map(({ text, marks, href, label, isCode }) => {
      const link = href === undefined ? text : `<a ${href}>${label === undefined ? text : runsShown(label)}</a>`;
      const content = isCode === true ? `<code>${text}</code>` : link;
      return marks.reduce((inner, mark) => `<${mark}>${inner}</${mark}>`, content);
    })
    .join('');
}

// The numbers are examples of CommonMark 0.31.2.
it.each([
  // Bold, italic and struck text.
  [350, '*foo bar*', '<em>foo bar</em>'],
  [351, 'a * foo bar*', 'a * foo bar*'],
  [352, 'a*"foo"*', 'a*"foo"*'],
  [353, '*\u00A0a\u00A0*', '*\u00A0a\u00A0*'],
  [355, 'foo*bar*', 'foo<em>bar</em>'],
  [357, '_foo bar_', '<em>foo bar</em>'],
  [358, '_ foo bar_', '_ foo bar_'],
  [360, 'foo_bar_', 'foo_bar_'],
  [361, '5_6_78', '5_6_78'],
  [362, 'пристаням_стремятся_', 'пристаням_стремятся_'],
  [364, 'foo-_(bar)_', 'foo-<em>(bar)</em>'],
  [365, '_foo*', '_foo*'],
  [366, '*foo bar *', '*foo bar *'],
  [367, '*foo bar\n*', '*foo bar\n*'],
  [368, '*(*foo)', '*(*foo)'],
  [369, '*(*foo*)*', '<em>(</em><em>foo</em><em>)</em>'],
  [370, '*foo*bar', '<em>foo</em>bar'],
  [377, '_(bar)_.', '<em>(bar)</em>.'],
  [378, '**foo bar**', '<strong>foo bar</strong>'],
  [379, '** foo bar**', '** foo bar**'],
  [381, 'foo**bar**', 'foo<strong>bar</strong>'],
  [382, '__foo bar__', '<strong>foo bar</strong>'],
  [386, 'foo__bar__', 'foo__bar__'],
  [
    394,
    '**Gomphocarpus (*G. physocarpus*)**',
    '<strong>Gomphocarpus (</strong><em><strong>G. physocarpus</strong></em><strong>)</strong>',
  ],
  [405, '*foo\nbar*', '<em>foo\nbar</em>'],
  [407, '_foo _bar_ baz_', '<em>foo </em><em>bar</em><em> baz</em>'],
  [409, '*foo **bar** baz*', '<em>foo </em><em><strong>bar</strong></em><em> baz</em>'],
  [411, '*foo**bar**baz*', '<em>foo</em><em><strong>bar</strong></em><em>baz</em>'],
  [412, '*foo**bar*', '<em>foo**bar</em>'],
  [413, '***foo** bar*', '<em><strong>foo</strong></em><em> bar</em>'],
  [416, 'foo***bar***baz', 'foo<em><strong>bar</strong></em>baz'],
  [436, 'foo ***', 'foo ***'],
  [437, 'foo *\\**', 'foo <em>*</em>'],
  [438, 'foo *_*', 'foo <em>_</em>'],
  [442, '**foo*', '*<em>foo</em>'],
  [443, '*foo**', '<em>foo</em>*'],
  [470, '*foo _bar* baz_', '<em>foo _bar</em> baz_'],
  [472, '**foo **bar baz**', '**foo <strong>bar baz</strong>'],
  [476, '*a `*`*', '<em>a </em><em><code>*</code></em>'],
  // Code.
  [328, '`foo`', '<code>foo</code>'],
  [329, '`` foo ` bar ``', '<code>foo ` bar</code>'],
  [330, '` `` `', '<code>``</code>'],
  [332, '` a`', '<code> a</code>'],
  [335, '``\nfoo\nbar  \nbaz\n``', '<code>foo bar   baz</code>'],
  [338, '`foo\\`bar`', '<code>foo\\</code>bar`'],
  [341, '*foo`*`', '*foo<code>*</code>'],
  [347, '```foo``', '```foo``'],
  [348, '`foo', '`foo'],
  [349, '`foo``bar``', '`foo<code>bar</code>'],
  // Fenced code.
  [119, '```\n<\n >\n```', '<pre><\n ></pre>'],
  [121, '``\nfoo\n``', '<code>foo</code>'],
  [123, '```\naaa\n~~~\n```', '<pre>aaa\n~~~</pre>'],
  [124, '````\naaa\n```\n``````', '<pre>aaa\n```</pre>'],
  [127, '`````\n\n```\naaa', '<pre>\n```\naaa</pre>'],
  [128, '> ```\n> aaa\n\nbbb', '<blockquote><pre>aaa</pre></blockquote>|bbb'],
  [131, ' ```\n aaa\naaa\n```', '<pre>aaa\naaa</pre>'],
  [133, '   ```\n   aaa\n    aaa\n  aaa\n   ```', '<pre>aaa\n aaa\naaa</pre>'],
  [137, '```\naaa\n    ```', '<pre>aaa\n    ```</pre>'],
  [140, 'foo\n```\nbar\n```\nbaz', 'foo|<pre>bar</pre>|baz'],
  [142, '```ruby\ndef foo(x)\nend\n```', '<pre>def foo(x)\nend</pre>'],
  // Quotes.
  [228, '> # Foo\n> bar\n> baz', '<blockquote># Foo\nbar\nbaz</blockquote>'],
  [230, '   > bar\n > baz', '<blockquote>bar\nbaz</blockquote>'],
  [235, '> - foo\n- bar', '<blockquote><list><li>foo</li></list></blockquote>|<list><li>bar</li></list>'],
  [242, '> foo\n\n> bar', '<blockquote>foo</blockquote>|<blockquote>bar</blockquote>'],
  [245, 'foo\n> bar', 'foo|<blockquote>bar</blockquote>'],
  [250, '> > > foo', '<blockquote><blockquote><blockquote>foo</blockquote></blockquote></blockquote>'],
  // Lists.
  [255, '- one\n\n two', '<list><li>one</li></list>| two'],
  [259, '-one\n\n2.two', '-one\n\n2.two'],
  [265, '1234567890. not ok', '1234567890. not ok'],
  [301, '- foo\n- bar\n+ baz', '<list><li>foo</li><li>bar</li><li>baz</li></list>'],
  [303, 'Foo\n- bar\n- baz', 'Foo|<list><li>bar</li><li>baz</li></list>'],
  [306, '- foo\n\n- bar\n\n\n- baz', '<list><li>foo</li><li>bar</li><li>baz</li></list>'],
  [307, '- foo\n  - bar', '<list><li>foo|<list><li>bar</li></list></li></list>'],
  [318, '- a\n- ```\n  b\n\n\n  ```\n- c', '<list><li>a</li><li><pre>b\n\n</pre></li><li>c</li></list>'],
  [326, '- a\n  > b\n- c', '<list><li>a|<blockquote>b</blockquote></li><li>c</li></list>'],
])('shows example %i, %j', (_number, text, expected) => {
  expect(shown(parse(text))).toBe(expected);
});

it.each([
  // Text as people write it.
  ['one\ntwo\n\n\nthree  ', 'one\ntwo\n\n\nthree  '],
  ['*one\n\ntwo*', '*one\n\ntwo*'],
  ['~~gone~~ and ~5~ or ~~~none~~~', '<del>gone</del> and ~5~ or ~~~none~~~'],
  ['**~~_all_~~**', '<del><em><strong>all</strong></em></del>'],
  ['\\*a\\* \\`b\\` \\~~c\\~~ C:\\dir \\\\server \\o/', '*a* `b` ~~c~~ C:\\dir \\\\server \\o/'],
  ['2 * 3 * 4, snake_case_name and :_)', '2 * 3 * 4, snake_case_name and :_)'],
  ['>_<\n>10', '>_<\n>10'],
  [
    '**강조**입니다, **「重要」**です, *這是「重點」*嗎',
    '<strong>강조</strong>입니다, <strong>「重要」</strong>です, <em>這是「重點」</em>嗎',
  ],
  ['*שלום*, **مرحبا**', '<em>שלום</em>, <strong>مرحبا</strong>'],
  ['**👍🏽**', '<strong>👍🏽</strong>'],
  ['3. c\n2. b\n1) a', '<list><li3>c</li><li2>b</li><li1>a</li></list>'],
  ['2024. A year', '2024. A year'],
  ['- \n-\n1. \n* * *\n---', '- \n-\n1. \n* * *\n---'],
  ['a\n\n- b\n\n\nc', 'a|<list><li>b</li></list>|c'],
  ['```\n```', '```\n```'],
  // What is no part of the subset.
  ['# Title\n\nTitle\n===\n\n| a | b |\n|---|---|', '# Title\n\nTitle\n===\n\n| a | b |\n|---|---|'],
  [
    '<b>x</b> &amp; <!-- y --> <https://hive.io>',
    '<b>x</b> &amp; <!-- y --> <<a https://hive.io/>https://hive.io</a>>',
  ],
  ['    four spaces', '    four spaces'],
  ['[a]: https://hive.io\n\n[a]', '[a]: <a https://hive.io/>https://hive.io</a>\n\n[a]'],
  ['![a](https://hive.io/a.png)', '!<a https://hive.io/a.png>a</a>'],
])('shows %j', (text, expected) => {
  expect(shown(parse(text))).toBe(expected);
});

describe('links', () => {
  it.each([
    ['[the *post*](https://hive.io/a_(b))', '<a https://hive.io/a_(b)>the <em>post</em></a>'],
    ['**[a](https://hive.io)**', '<strong><a https://hive.io/>a</a></strong>'],
    ['[https://hive.io/a](https://hive.io/a)', '<a https://hive.io/a>https://hive.io/a</a>'],
    ['https://a.example/_b_/**c', '<a https://a.example/_b_/>https://a.example/_b_/</a>**c'],
    ['https://a.example/*b*c', '<a https://a.example/*b*c>https://a.example/*b*c</a>'],
    [
      '**https://hive.io** _https://hive.io/a_b_',
      '<strong><a https://hive.io/>https://hive.io</a></strong> <em><a https://hive.io/a_b>https://hive.io/a_b</a></em>',
    ],
    [
      '*@alice* #hive-12345',
      '<em><a https://hive.blog/@alice>@alice</a></em> <a https://hive.blog/trending/hive-12345>#hive-12345</a>',
    ],
    ['`@alice` `https://hive.io`', '<code>@alice</code> <code>https://hive.io</code>'],
    ['```\n@alice https://hive.io\n```', '<pre>@alice https://hive.io</pre>'],
    ['\\[a](https://hive.io)', '[a](<a https://hive.io/>https://hive.io</a>)'],
  ])('shows %j', (text, expected) => {
    expect(shown(parse(text))).toBe(expected);
  });

  it.each([
    '[a](javascript:alert(1))',
    '[a](data:text/html,x)',
    '[a](ftp://hive.io)',
    '[a](//hive.io)',
    '[a](https://)',
    '[ ](https:// )',
    '[a](https://example.com@evil.example/)',
    '[a](https://hive.blog⁄login.evil.example/)',
    '[](https://user@hive.io)',
  ])('makes none of %j', (text) => {
    expect(shown(parse(text))).toBe(text);
  });

  it.each([
    'https://hive.blog',
    'h**ttps://hive.blog**',
    'see www.hive.blog',
    'hive.blog/@alice',
    '@alice',
    '#hive-12345',
  ])('shows where a label leads that looks like %j', (label) => {
    const [block] = parse(`[${label}](https://evil.example/)`);
    const links = block?.type === 'text' ? block.runs.filter(({ href }) => href !== undefined) : [];
    expect(links.map((link) => link.label)).toEqual([undefined, undefined]);
    expect(links.at(-1)).toMatchObject({ text: 'https://evil.example/', href: 'https://evil.example/' });
  });

  it.each(['[a](https://hive.io) @alice `b` '.repeat(40), `${'@alice '.repeat(50)}[a](https://hive.io)`])(
    'are at most 50',
    (text) => {
      expect(shown(parse(text)).match(/<a /g)).toHaveLength(50);
    },
  );
});

it.each([
  ['**Bold** and _italic_, ~~not~~ `code`', 'Bold and italic, not code'],
  ['> quoted\n\nanswer', 'quoted\nanswer'],
  ['- a\n- b\n  1. c', '• a\n• b\n1. c'],
  ['```js\nlet a;\n```', 'let a;'],
  ['[the *post*](https://hive.io/a) of @alice', 'the post of @alice'],
  ['5 * 3 * 2', '5 * 3 * 2'],
])('strips the marks of %j', (text, expected) => {
  expect(plainText(text)).toBe(expected);
});

/** Each gives a text of about `length` characters. */
const hostile: [string, (length: number) => string][] = [
  ['nested quotes', (length) => '>'.repeat(length)],
  ['nested quotes with spaces', (length) => '> '.repeat(length / 2)],
  ['lines of nested quotes', (length) => `${'> '.repeat(10)}a\n`.repeat(length / 22)],
  ['stars', (length) => '*'.repeat(length)],
  ['stars that open', (length) => '*a '.repeat(length / 3)],
  ['stars that close', (length) => 'a* '.repeat(length / 3)],
  ['stars that do both', (length) => '*a**b'.repeat(length / 5)],
  ['nested marks', (length) => `${'*a **b '.repeat(length / 14)}${'c** d* '.repeat(length / 14)}`],
  ['mixed marks', (length) => '*_a ~~'.repeat(length / 6)],
  ['different marks', (length) => `${'*a '.repeat(length / 6)}${'b_ '.repeat(length / 6)}`],
  ['backticks', (length) => '`'.repeat(length)],
  [
    'backticks of all lengths',
    (length) => Array.from({ length: Math.sqrt(length * 2) }, (_, i) => '`'.repeat(i)).join(' '),
  ],
  ['fences that are not closed', (length) => '```\n'.repeat(length / 4)],
  [
    'longer and longer fences',
    (length) => Array.from({ length: Math.sqrt(length * 2) }, (_, i) => '`'.repeat(i)).join('\n'),
  ],
  ['empty fences', (length) => '```\n\n'.repeat(length / 5)],
  ['nested lists', (length) => '- '.repeat(length / 2)],
  [
    'deeper and deeper lists',
    (length) => Array.from({ length: Math.sqrt(length * 2) }, (_, i) => `${' '.repeat(i)}- a`).join('\n'),
  ],
  ['long lists', (length) => '- a\n'.repeat(length / 4)],
  ['lists of empty lines', (length) => `- a${'\n'.repeat(length)}b`],
  ['empty lines', (length) => '\n'.repeat(length)],
  ['spaces', (length) => `a${' '.repeat(length)}b`],
  ['lines of spaces', (length) => `a\n${' '.repeat(length)}b`],
  ['opening brackets', (length) => '['.repeat(length)],
  ['brackets', (length) => '[a]('.repeat(length / 4)],
  ['links that are not closed', (length) => '[a](https://b'.repeat(length / 13)],
  ['addresses in addresses', (length) => '[a](https://b[c](https://d)'.repeat(length / 27)],
  ['backslashes', (length) => '\\'.repeat(length)],
  ['escapes', (length) => '\\`\\*'.repeat(length / 4)],
  ['text', (length) => 'word '.repeat(length / 5)],
];

describe('takes linear time', () => {
  function milliseconds(text: string): number {
    // Other processes do not count.
    const times = [1, 2].map(() => {
      const start = process.cpuUsage();
      parse(text);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1_000;
    });
    return Math.min(...times);
  }

  it.each(hostile)('for %s', (_name, write) => {
    const [short, long] = [milliseconds(write(40_000)), milliseconds(write(320_000))];
    // 8 if it is linear, 64 if it is quadratic, apart from the garbage collection. Short times say nothing.
    expect(long / Math.max(short, 20)).toBeLessThan(40);
  });
});

it.each(hostile)('shows all characters of %s, with few elements', (_name, write) => {
  const text = write(10_000);
  const blocks = parse(text);
  const html = shown(blocks);
  expect(html.match(/<\w/g)?.length ?? 0).toBeLessThan(1_300);
  const letters = (value: string) => value.match(/[a-d]/g)?.length ?? 0;
  expect(letters(html.replaceAll(/<[^>]*>/g, ''))).toBeGreaterThanOrEqual(
    letters(write(10_000).replaceAll(/\]\(https:\/\/\w/g, '')) - 1,
  );
});
