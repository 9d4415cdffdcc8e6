import { devnetKeys } from '@waggle/devnet';
import { type ChatConfig } from '../../src/config';
import { ChatUnderTest } from '../support/chat-under-test';

const accounts = [{ name: 'alice', posting: devnetKeys('alice').posting.wif }];
const webClient: NonNullable<ChatConfig['webClient']> = {
  frameOrigins: ['https://wallet.example'],
  connectOrigins: ['wss://sign-in.example'],
  brand: { name: 'Hive Honey', logo: 'https://honey.example/logo.svg', accent: '#7a3fb5' },
  avatars: 'https://images.example/u/{account}/avatar',
  profiles: 'https://honey.example/@{account}',
  attachmentHosts: ['images.example', 'files.example:8443'],
  imageHost: 'images.example',
  search: true,
  devnetAccounts: accounts,
};

describe('the web client', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start({ webClient });
  });
  afterAll(() => chat.stop());

  it('is served at /app/ under a policy that allows no inline code', async () => {
    const page = await chat.instance.get('/app/');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).not.toContain('unsafe');
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "script-src 'self'",
        "connect-src 'self' wss://sign-in.example https://images.example",
        "img-src 'self' data: https://images.example https://honey.example https://files.example:8443",
        "frame-ancestors 'self' https://wallet.example",
        "require-trusted-types-for 'script'",
      ]),
    );
    const files = Array.from(html.matchAll(/(?:src|href)="([^"]+)"/g), ([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect((await chat.instance.get(`/app/${file}`)).status).toBe(200);
  });

  it.each(['GET', 'HEAD'])('is where %s / leads', async (method) => {
    const response = await fetch(`${chat.instance.url}/`, { method, redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/app/']);
  });

  it('serves the module to pages of any origin, which can cache it', async () => {
    const module = await chat.instance.get('/element.js', { Origin: 'https://blog.example' });
    expect(module.headers.get('access-control-allow-origin')).toBe('*');
    expect(module.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(await module.text()).toContain('waggle-chat');
    const etag = module.headers.get('etag') ?? '';
    expect((await chat.instance.get('/element.js', { 'If-None-Match': etag })).status).toBe(304);
  });

  it('offers the accounts of a development chain', async () => {
    const config = await (await chat.instance.get('/app/config.json')).json();
    const { brand, avatars, profiles, attachmentHosts, imageHost } = webClient;
    const attachments = { attachment_hosts: attachmentHosts, image_host: imageHost };
    expect(config).toEqual({ devnet: true, accounts, ...brand, avatars, profiles, ...attachments, search: true });
  });
});

it('the web client is not served if it is disabled', async () => {
  const chat = await ChatUnderTest.start();
  try {
    for (const url of ['/app/', '/app/config.json', '/element.js'])
      expect((await chat.instance.get(url)).status).toBe(404);
  } finally {
    await chat.stop();
  }
});
