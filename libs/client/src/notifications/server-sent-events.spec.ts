import { ServerSentParser } from './server-sent-events';

const text = [
  'retry: 1500\n\n',
  ':\nid: 0a1b2c3d-1\n\n',
  'id: 0a1b2c3d-2\r\nevent: notification\r\ndata: {"msg":"größe\u2028"}\r\n\r\n',
  ': a comment\n\n',
  'data: two\ndata:lines\n\n',
  'event:\nid: a\0b\ndata: no name, no id\n\n',
  'id: unfinished',
].join('');

const blocks = [
  { event: 'message', data: undefined, id: undefined, retryMs: 1500 },
  { event: 'message', data: undefined, id: '0a1b2c3d-1', retryMs: undefined },
  { event: 'notification', data: '{"msg":"größe\u2028"}', id: '0a1b2c3d-2', retryMs: undefined },
  { event: 'message', data: 'two\nlines', id: undefined, retryMs: undefined },
  { event: 'message', data: 'no name, no id', id: undefined, retryMs: undefined },
];

it.each([1, 2, 7, text.length])('parses blocks from pieces of %d characters', (length) => {
  const parser = new ServerSentParser();
  const parsed = [];
  for (let begin = 0; begin < text.length; begin += length)
    parsed.push(...parser.push(text.slice(begin, begin + length)));
  expect(parsed).toEqual(blocks);
});
