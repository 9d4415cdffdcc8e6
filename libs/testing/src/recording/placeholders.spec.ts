import { withPlaceholders } from './placeholders';

describe('withPlaceholders', () => {
  it('numbers variable values in the order of their first appearance', () => {
    const [one, two] = ['01K0C8N2V4W6X8Y0Z2A4B6C8D0', '01K0C8N3E5F7G9H1J3K5M7N9P1'];
    expect(withPlaceholders(`${two} ${one} ${two} eyJhbGci.eyJzdWI.c2ln-_`)).toBe(
      '<ulid 1> <ulid 2> <ulid 1> <token 1>',
    );
    expect(withPlaceholders('0b9d1f0e-6b1c-4c2d-9a51-3f1c2f7f8a10 http://127.0.0.1:40123/')).toBe(
      '<uuid 1> http://<origin 1>/',
    );
    expect(withPlaceholders(`sig=${'0a'.repeat(65)}`)).toBe('sig=<signature 1>');
  });

  it('does not number times, which may be equal by chance, nor ids of requests', () => {
    expect(withPlaceholders('{"requestId":"0b9d1f0e-6b1c-4c2d-9a51-3f1c2f7f8a10"}')).toBe('{"requestId":"<request>"}');
    expect(withPlaceholders('before=2026-01-31T12%3A00%3A00.123Z')).toBe('before=<time>');
    expect(withPlaceholders('2026-01-31T12:00:00.123Z 2026-01-31T12:00:00 ts=1767225600000')).toBe(
      '<time> <time> ts=<milliseconds>',
    );
  });

  it('leaves other values unchanged', () => {
    for (const text of ['Max-Age=7776000', '10000000000.000001', '2026-01-31', 'eyJ', '12345678901234']) {
      expect(withPlaceholders(text)).toBe(text);
    }
  });
});
