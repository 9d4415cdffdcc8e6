import { until } from '@waggle/testing';

/** The commands of W3C WebDriver that the tests use: https://www.w3.org/TR/webdriver2/#endpoints */
export type Command =
  | 'newSession'
  | 'navigate'
  | 'back'
  | 'refresh'
  | 'executeScript'
  | 'elementClick'
  | 'elementSendKeys';

/** Sends a command to a browser. @returns the value of its response @throws Error what the browser says */
export type SendCommand = (command: Command, params: Record<string, unknown>) => Promise<unknown>;

/** A reference to an element on the page. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/**
 * Finds the first shown element, also inside web components.
 *
 * `arguments`: a selector, and the label of the element or the whole text of a part of it; null for any.
 */
const findScript = `
  const [selector, text] = arguments;
  const isNamed = (element) =>
    element.getAttribute('aria-label') === text ||
    [element, ...element.querySelectorAll('*')].some((part) => part.textContent.trim() === text);
  const search = (root) => {
    for (const element of root.querySelectorAll('*')) {
      const matches = element.matches(selector) && (text === null || isNamed(element));
      if (matches && element.getClientRects().length > 0) return element;
      const inside = element.shadowRoot && search(element.shadowRoot);
      if (inside) return inside;
    }
    return null;
  };
  return search(document);`;

/** A browser window, as a person uses it. */
export class RemoteBrowser {
  constructor(
    private readonly send: SendCommand,
    /** Ends the browser. */
    readonly end: () => Promise<void>,
  ) {}

  async open(url: string): Promise<void> {
    await this.send('navigate', { url });
  }

  async back(): Promise<void> {
    await this.send('back', {});
  }

  /** Returns when the page is loaded again. */
  async reload(): Promise<void> {
    await this.send('refresh', {});
  }

  /** Runs a function body on the page. */
  run(script: string, ...args: unknown[]): Promise<unknown> {
    return this.send('executeScript', { script, args });
  }

  /** Runs a function body, whose argument is the element. */
  async runOn(selector: string, script: string): Promise<unknown> {
    return this.run(script, { [elementKey]: await this.shown(selector) });
  }

  /** Waits for a shown element. @param text its label, or the whole text of a part of it */
  async shown(selector: string, text?: string): Promise<string> {
    let found: unknown;
    await until(async () => {
      found = await this.run(findScript, selector, text ?? null).catch((error: unknown) => {
        // The page replaced the element before the browser returned it.
        if (String(error).includes('stale element reference')) return null;
        throw error;
      });
      return found !== null;
    }).catch((error: unknown) => {
      throw new Error(`not shown: ${selector} ${text ?? ''}`, { cause: error });
    });
    return String(new Map(Object.entries(found ?? {})).get(elementKey));
  }

  async isShown(selector: string, text?: string): Promise<boolean> {
    return (await this.run(findScript, selector, text ?? null)) !== null;
  }

  async click(selector: string, text?: string): Promise<void> {
    await this.send('elementClick', { id: await this.shown(selector, text) });
  }

  async type(selector: string, keys: string): Promise<void> {
    await this.send('elementSendKeys', { id: await this.shown(selector), text: keys });
  }
}
