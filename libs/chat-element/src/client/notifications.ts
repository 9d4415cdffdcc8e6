import type { BrowserStorage } from './browser-storage';

const key = 'notifications';

/** Desktop notifications, on request. Only one of several tabs shows them, and none while a tab is in use. */
export class Notifications {
  /** Cached: it is needed for every message. */
  #isWanted: boolean;

  constructor(private readonly storage: BrowserStorage) {
    this.#isWanted = storage.read(key) === true;
    storage.onChange(key, () => {
      this.#isWanted = storage.read(key) === true;
    });
    this.#holdLockWhileFocused();
  }

  get isSupported(): boolean {
    return 'Notification' in globalThis;
  }

  get isDenied(): boolean {
    return this.isSupported && Notification.permission === 'denied';
  }

  get isOn(): boolean {
    return this.#isWanted && this.isSupported && Notification.permission === 'granted';
  }

  /** Turns them on or off; the browser asks the user the first time. */
  async set(isOn: boolean): Promise<void> {
    const isAllowed = isOn && this.isSupported && (await Notification.requestPermission()) === 'granted';
    this.#isWanted = isAllowed;
    this.storage.write(key, isAllowed);
  }

  /** @param id of the message: the browser shows one notification for it, even if several tabs create one */
  async show(id: string, title: string, body: string, onClick: () => void): Promise<void> {
    if (!this.isOn || (await this.#isInUse())) return;
    const notification = createNotification(title, { body, tag: id });
    if (notification === undefined) {
      await this.set(false);
      return;
    }
    notification.addEventListener('click', () => {
      window.focus();
      notification.close();
      onClick();
    });
  }

  get #lockName(): string {
    return `${this.storage.prefix}in-use`;
  }

  /** Whether this tab, or another one of the service, has the focus. */
  async #isInUse(): Promise<boolean> {
    if (document.hasFocus()) return true;
    if (!('locks' in navigator)) return false;
    const { held = [] } = await navigator.locks.query();
    return held.some(({ name }) => name === this.#lockName);
  }

  /** The tab with the focus holds a lock, which the browser releases if the tab is closed. */
  #holdLockWhileFocused(): void {
    if (!('locks' in navigator)) return;
    let release: (() => void) | undefined;
    const update = (): void => {
      if (!document.hasFocus()) {
        release?.();
        release = undefined;
      } else if (release === undefined) {
        const whileFocused = new Promise<void>((resolve) => (release = resolve));
        void navigator.locks.request(this.#lockName, { mode: 'shared' }, () => whileFocused);
      }
    };
    addEventListener('focus', update);
    addEventListener('blur', update);
    update();
  }
}

/** @returns undefined if pages cannot create any: in Chrome for Android only service workers can */
function createNotification(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    return undefined;
  }
}
