import { authPath, loginPath } from './video-auth-client';
import { VideoAuthUnderTest } from './video-auth-under-test';

let service: VideoAuthUnderTest;
beforeAll(async () => {
  service = await VideoAuthUnderTest.start();
});
afterAll(() => service.stop());

function preflight(path: string, method: string, origin: string): Promise<Response> {
  return fetch(service.instance.url + path, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  });
}

it.each([
  [loginPath, 'POST'],
  [`${authPath}/sessions/x`, 'DELETE'],
  [`${authPath}/sessions`, 'GET'],
])('pages of the listed origins may call %s, and no others', async (path, method) => {
  const allowed = await preflight(path, method, 'https://app.example');
  expect(allowed.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example');
  expect(allowed.headers.get('Access-Control-Allow-Methods')).toContain(method);
  expect(allowed.headers.get('Access-Control-Allow-Headers')).toContain('authorization');
  const rejected = await preflight(path, method, 'https://evil.example');
  expect(rejected.headers.get('Access-Control-Allow-Origin')).toBeNull();
});
