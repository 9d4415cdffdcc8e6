import { readReply } from './node-reply';

const result = '{"a":[1,18446744073709551615,"}\\""],"id":7}';

const read = (body: string) => readReply(Buffer.from(body), 7);

describe('readReply', () => {
  it.each([
    ['hived', `{"jsonrpc":"2.0","result":${result},"id":7}`],
    ['a server that writes spaces', `{"jsonrpc": "2.0", "result": ${result}, "id": 7}\n`],
    ['a server that writes the id first', `{"jsonrpc":"2.0","id":7,"result":${result}}`],
    ['a server with another order', `{"result":${result},"id":7,"jsonrpc":"2.0"}`],
    ['a server that adds members', `{"jsonrpc":"2.0","id":7,"result":${result},"time":1}`],
    ['a server that adds members elsewhere', `{"jsonrpc":"2.0","time":1,"result":${result},"id":7}`],
    ['a server that writes a null error', `{"jsonrpc":"2.0","error":null,"result":${result},"id":7}`],
    ['a server that writes a null error last', `{"jsonrpc":"2.0","result":${result},"error":null,"id":7}`],
  ])('returns the result of %s unchanged', (_who, text) => {
    const reply = read(text);
    const member = reply.kind === 'result' ? reply.result : '';
    expect(member.replace(/^"result": ?/, '')).toBe(result);
  });

  it('accepts null as a result', () => {
    expect(read('{"jsonrpc":"2.0","result":null,"id":7}')).toEqual({ kind: 'result', result: '"result":null' });
  });

  it.each([
    ['rejected', '{"code":-32003,"message":"Assert Exception","data":{"code":10,"big":18446744073709551615}}'],
    ['rejected', '{"code":-32602,"message":"Assert Exception:invalid account char"}'],
    ['not-served', '{"code":-32601,"message":"Api not found bridge"}'],
    ['not-served', '{"code":-32003,"message":"Assert Exception:Could not find API bridge"}'],
    ['node-error', '{"code":-32603,"message":"Internal error"}'],
    ['node-error', '{"code":-32003,"message":"Unable to acquire database lock"}'],
  ])('classifies an error as %s and returns it unchanged', (kind, error) => {
    const reply = { kind, error: { member: `"error":${error}` } };
    expect(read(`{"jsonrpc":"2.0","error":${error},"id":7}`)).toEqual(reply);
    expect(read(`{"id":7,"result":null,"error":${error}}`)).toEqual(reply);
  });

  it.each([
    ['nothing', ''],
    ['HTML', '<html><body>502</body></html>'],
    ['truncated JSON', `{"jsonrpc":"2.0","result":${result},"id":`],
    ['invalid JSON in the result', '{"jsonrpc":"2.0","result":[garbage],"id":7}'],
    ['another id', '{"jsonrpc":"2.0","result":1,"id":8}'],
    ['the id as a text', '{"jsonrpc":"2.0","result":1,"id":"7"}'],
    ['no id', '{"jsonrpc":"2.0","result":1}'],
    ['a batch', '[{"jsonrpc":"2.0","result":1,"id":7}]'],
    ['a text', '"result"'],
    ['null', 'null'],
    ['neither result nor error', '{"jsonrpc":"2.0","id":7}'],
    ['both', '{"jsonrpc":"2.0","result":1,"error":{"code":1,"message":"x"},"id":7}'],
    ['an error that is a string', '{"jsonrpc":"2.0","error":"no","id":7}'],
    ['an error that is a number', '{"jsonrpc":"2.0","error":5,"id":7}'],
    ['an error that is false', '{"jsonrpc":"2.0","error":false,"id":7}'],
    ['an error without a message', '{"jsonrpc":"2.0","error":{"code":1},"id":7}'],
    ['an error whose code is a string', '{"jsonrpc":"2.0","error":{"code":"1","message":"x"},"id":7}'],
    ['an error that is an array', '{"jsonrpc":"2.0","error":[],"id":7}'],
  ])('rejects %s', (_what, text) => {
    expect(read(text)).toMatchObject({ kind: 'failed', cause: 'node' });
  });
});
