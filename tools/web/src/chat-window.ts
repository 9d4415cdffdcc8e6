import { type BrowserContext, type Locator, type Page } from 'playwright-core';

/** How long a page may take on a machine that is busy with other tests. */
const timeoutMs = 120_000;

/** The chat's page in a window, and what a person does with it. */
export class ChatWindow {
  private constructor(readonly page: Page) {}

  static async open(context: BrowserContext, url: string): Promise<ChatWindow> {
    const page = await context.newPage();
    page.setDefaultTimeout(timeoutMs);
    await page.goto(`${url}/app/`);
    return new ChatWindow(page);
  }

  /** Signs a devnet account in by one click, and waits until its conversations are shown. */
  async signIn(account: string): Promise<void> {
    await this.page.getByRole('button', { name: account, exact: true }).click();
    await this.conversations.waitFor();
  }

  /** Tries to sign a devnet account in by a key that is typed. */
  async signInWithKey(account: string, key: string): Promise<void> {
    const form = this.page.locator('waggle-sign-in details');
    if (!(await form.getByLabel('Account name').isVisible())) await form.locator('summary').click();
    await form.getByLabel('Account name').fill(account);
    await form.getByLabel('Posting key').fill(key);
    await form.getByRole('button', { name: 'Sign in with a key' }).click();
  }

  get conversations(): Locator {
    return this.page.locator('waggle-conversation-list');
  }

  /** The entry of a conversation in the list. */
  entry(title: string): Locator {
    return this.conversations.locator('button.item').filter({ has: this.page.getByText(title, { exact: true }) });
  }

  /** Opens a conversation, and waits for its messages. */
  async openConversation(title: string): Promise<void> {
    await this.entry(title).click();
    await this.composer.waitFor();
    await this.page.locator('waggle-message-list .skeleton').waitFor({ state: 'detached' });
  }

  get composer(): Locator {
    return this.page.locator('waggle-composer textarea');
  }

  async send(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
  }

  /** A message of the open conversation. */
  message(text: string): Locator {
    return this.page.locator('waggle-message-list li.message').filter({ hasText: text });
  }

  /** Chooses an action in the menu of a message. */
  async chooseForMessage(text: string, action: string): Promise<void> {
    const message = this.message(text).last();
    await message.hover();
    await message.getByRole('button', { name: 'More actions' }).click();
    await this.page.getByRole('menuitem', { name: action, exact: true }).click();
  }

  /** The texts of the open conversation, from the top down. */
  texts(): Promise<string[]> {
    return this.page.locator('waggle-message-list li.message .text').allTextContents();
  }

  /** Clicks a button, by its label. */
  async press(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).first().click();
  }

  /** Presses a button of the open confirmation dialog. */
  async confirm(button: string | RegExp): Promise<void> {
    await this.page.locator('dialog[open]').getByRole('button', { name: button, exact: true }).click();
  }

  /** Chooses an action in the menu of a member. The details are open. */
  async chooseForMember(account: string, action: string): Promise<void> {
    await this.press(`Actions for ${account}`);
    await this.page.getByRole('menuitem', { name: action, exact: true }).click();
  }

  async fill(label: string, text: string): Promise<void> {
    await this.page.getByLabel(label).first().fill(text);
  }

  /** Begins a dm, or a group if there are several accounts, separated by spaces. */
  async write(to: string, text: string): Promise<void> {
    await this.openNewConversation();
    await this.beginWith(to, text);
    await this.message(text).waitFor();
  }

  /** Picks accounts, separated by spaces, and submits the form for a new conversation. It is open. */
  async beginWith(to: string, text: string): Promise<void> {
    await this.pick(to);
    await this.fill('First message', text);
    await this.submit.click();
  }

  /** Types names of accounts, each of which becomes a chip. */
  async pick(to: string): Promise<void> {
    await this.page.locator('waggle-people-picker #to').fill(`${to} `);
  }

  /** The button that begins a conversation with the people that are picked. */
  get submit(): Locator {
    return this.page.locator('waggle-new-conversation .primary');
  }

  async openChannels(): Promise<void> {
    await this.openNewConversation();
    await this.page.getByRole('tab', { name: 'Channels' }).click();
  }

  async openNewConversation(): Promise<void> {
    await this.press('New conversation');
    // The form loads when it opens; keys that are pressed before go elsewhere. A touch screen focuses no field.
    const isTouch = await this.page.evaluate(() => matchMedia('(pointer: coarse)').matches);
    await this.page
      .locator(`waggle-new-conversation :is(input, textarea)${isTouch ? '' : ':focus'}`)
      .first()
      .waitFor();
  }

  async openPeople(): Promise<void> {
    await this.page
      .locator('waggle-chat .list header')
      .getByRole('button', { name: /^People/ })
      .click();
    await this.page.locator('waggle-people').waitFor();
  }

  async openSettings(): Promise<void> {
    await this.page.locator('waggle-chat .list header button.me').click();
    await this.page.locator('waggle-settings').getByRole('button', { name: 'Sign out', exact: true }).waitFor();
  }

  /** Scrolls to the top repeatedly until `message <number>` is shown. */
  async scrollUpTo(number: number): Promise<void> {
    await this.page.locator('waggle-message-list').evaluate(async (list, goal) => {
      const root = list.shadowRoot;
      const scroller = root?.querySelector('.scroller');
      const oldest = () => Number(/\d+/.exec(root?.querySelector('li.message .text')?.textContent ?? '')?.[0] ?? NaN);
      while (!(oldest() <= goal)) {
        if (scroller) scroller.scrollTop = 0;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    }, number);
  }

  /** Scrolls to the last message that is loaded. */
  async scrollToEnd(): Promise<void> {
    await this.page.locator('waggle-message-list .scroller').evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight;
    });
  }

  /**
   * Returns the number of comment nodes per row of the open conversation. Lit marks the start and the end of each row.
   */
  markersPerRow(): Promise<number> {
    return this.page
      .locator('waggle-message-list ol')
      .first()
      .evaluate((list) => {
        const comments = [...list.childNodes].filter(({ nodeType }) => nodeType === Node.COMMENT_NODE);
        return comments.length / list.children.length;
      });
  }

  /** Opens the members of the open conversation. */
  async openDetails(): Promise<void> {
    await this.page.locator('waggle-conversation header button.title').click();
    await this.page.locator('waggle-conversation-details .summary').waitFor();
  }
}
