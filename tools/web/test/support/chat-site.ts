import { Chat, logIn } from '@waggle/client';
import { fillChatDemo, Running, type ServiceProcess, signAs } from '@waggle/running';
import { launchBrowser } from '@waggle/testing/browser';
import { type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core';
import { ChatWindow } from '../../src/chat-window';
import { WebStack } from '../../src/stack';
import { launchReused, reusedBrowser, stopReused } from './reused';
import { testDatabases } from './test-databases';

interface SiteOptions {
  /** Whether the chat has the demo's conversations. */
  hasDemo?: boolean;
  /** Settings of the service besides the stack's. */
  settings?: () => Promise<Record<string, string>>;
  /** Flags of the browser. */
  browserFlags?: () => Promise<string[]>;
  /** Origins that pages may request besides the service's own. */
  origins?: () => string[];
}

/** A chat for the tests of one file, on a database of their own, and a browser. The first run fetches the browser. */
export class ChatSite {
  private readonly running = new Running();
  private readonly contexts: BrowserContext[] = [];
  private readonly chats = new Map<string, Promise<Chat>>();
  /** Exceptions, violations of the Content-Security-Policy and requests to other hosts in pages. */
  private readonly errors: string[] = [];
  private readonly options: SiteOptions;
  private stack: WebStack | undefined;
  private browser: Browser | undefined;
  private service: ServiceProcess | undefined;

  private constructor(options: SiteOptions) {
    this.options = options;
  }

  /**
   * Starts before the tests of the file and ends after them. A page that throws, violates its policy or makes a request
   * to another host fails its test.
   */
  static forTests(options: SiteOptions = {}): ChatSite {
    const site = new ChatSite(options);
    beforeAll(() => site.start());
    afterEach(() => site.closeContexts());
    afterAll(() => site.end());
    return site;
  }

  get url(): string {
    return get(this.service).url;
  }

  get databaseUrl(): string {
    return get(this.stack).chatDatabaseUrl;
  }

  /** Kills the instance. Starting the next one then takes 3 s of CPU time. */
  async kill(): Promise<void> {
    await get(this.service).process.kill();
  }

  /** Shuts the instance down. */
  async stop(): Promise<void> {
    await stopReused();
  }

  /** Replaces the instance by one with other settings. */
  async restart(settings?: Record<string, string>): Promise<void> {
    await this.stop();
    await this.startInstance(settings);
  }

  /**
   * Starts an instance. Open pages connect at once, as when the network is back: their pauses may take half a minute.
   */
  async startInstance(settings?: Record<string, string>): Promise<void> {
    this.service = await get(this.stack).startChat(settings, { launch: launchReused });
    const pages = this.contexts.flatMap((context) => context.pages());
    await Promise.all(pages.map((page) => page.evaluate(() => dispatchEvent(new Event('online')))));
  }

  /** A browser profile of its own. */
  async newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await get(this.browser).newContext({
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      ...options,
    });
    this.contexts.push(context);
    context.on('weberror', (error) => this.errors.push(error.error().message));
    context.on('console', (message) => {
      if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text())) this.errors.push(message.text());
    });
    context.on('request', (request) => {
      const { origin } = new URL(request.url());
      const origins = [new URL(this.url).origin, ...(this.options.origins?.() ?? [])];
      if (/^https?:/.test(origin) && !origins.includes(origin)) this.errors.push(`requested ${request.url()}`);
    });
    return context;
  }

  async open(context?: BrowserContext): Promise<ChatWindow> {
    return ChatWindow.open(context ?? (await this.newContext()), this.url);
  }

  async signedIn(account: string, context?: BrowserContext): Promise<ChatWindow> {
    const window = await this.open(context);
    await window.signIn(account);
    return window;
  }

  /** The account's chat without a browser, to set up what a test needs. */
  as(account: string): Promise<Chat> {
    const known = this.chats.get(account);
    if (known !== undefined) return known;
    const connecting = (async () => {
      const session = await logIn({ url: this.url, account, sign: (text) => signAs(account, text) });
      const chat = new Chat({ session });
      await chat.connect();
      return chat;
    })();
    this.chats.set(account, connecting);
    return connecting;
  }

  /** @returns its id */
  async createGroup(name: string, creator: string, others: readonly string[]): Promise<string> {
    const chat = await this.as(creator);
    const { conversation } = await chat.createGroup(others, `Welcome to ${name}`);
    await chat.rename(conversation.id, name);
    return conversation.id;
  }

  private async start(): Promise<void> {
    const { hasDemo = false, settings, browserFlags } = this.options;
    const starting = WebStack.start(this.running, testDatabases(this.running));
    [this.stack, this.browser] = await Promise.all([starting, browserFlags?.().then(launchBrowser) ?? reusedBrowser()]);
    await this.startInstance(await settings?.());
    if (hasDemo) await fillChatDemo(this.url);
  }

  private async closeContexts(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map((context) => context.close()));
    expect(this.errors.splice(0)).toEqual([]);
  }

  private async end(): Promise<void> {
    for (const chat of this.chats.values()) await (await chat).close();
    if (this.options.browserFlags !== undefined) await this.browser?.close();
    await stopReused();
    await this.running.endAll();
  }
}

function get<T>(started: T | undefined): T {
  if (started === undefined) throw new Error('the site has not started');
  return started;
}
