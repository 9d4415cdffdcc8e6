import { type BrowserContext, type Page } from 'playwright-core';

interface Desktop {
  shown: { title: string; body: string | undefined; click: () => void }[];
  /** Moves the focus out of the page. */
  leave: () => void;
  /** Keeps pages from creating notifications, as in Chrome for Android. */
  refuse: () => void;
}

declare global {
  interface Window {
    fakeDesktop: Desktop;
  }
}

/** Stands in for the desktop: the headless browser shows no notifications, and gives the focus to every page. */
export async function installFakeDesktop(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shown: Desktop['shown'] = [];
    let isRefused = false;
    class FakeNotification extends EventTarget {
      static permission: NotificationPermission = 'default';

      constructor(title: string, { body }: NotificationOptions = {}) {
        super();
        if (isRefused) throw new TypeError('Illegal constructor');
        shown.push({ title, body, click: () => this.dispatchEvent(new Event('click')) });
      }

      static requestPermission(): Promise<NotificationPermission> {
        FakeNotification.permission = 'granted';
        return Promise.resolve(FakeNotification.permission);
      }

      close(): void {
        // It stays in the list of those that were shown.
      }
    }
    let hasFocus = true;
    document.hasFocus = () => hasFocus;
    const leave = () => {
      hasFocus = false;
      dispatchEvent(new Event('blur'));
    };
    const refuse = () => {
      isRefused = true;
    };
    Object.assign(window, { Notification: FakeNotification, fakeDesktop: { shown, leave, refuse } });
  });
}

/** Whether some tab holds the lock of the tab in use. The browser releases the lock of a closed tab a moment later. */
export async function isSomeTabInUse(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    return held.some(({ name }) => name?.endsWith(':in-use') === true);
  });
}

export async function shownNotifications(page: Page): Promise<string[]> {
  return page.evaluate(() => window.fakeDesktop.shown.map(({ title, body }) => `${title}: ${body ?? ''}`));
}
