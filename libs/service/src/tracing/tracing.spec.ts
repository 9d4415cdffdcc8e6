import { processNameOf } from './tracing';

describe('processNameOf', () => {
  it.each([
    ['/waggle/apps/chat/dist/main.js', 'chat'],
    ['/waggle/apps/rpc-gateway/dist/indexer.main.js', 'rpc-gateway-indexer'],
    ['C:\\waggle\\apps\\video-auth\\dist\\main.js', 'video-auth'],
    ['/waggle/apps/chat/dist/migrate.main.js', undefined],
    ['/waggle/tools/bench/dist/chat/main.js', undefined],
    [undefined, undefined],
  ])('of %s is %s', (script, name) => {
    expect(processNameOf(script)).toBe(name);
  });
});
