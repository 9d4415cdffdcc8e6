// The page at /app/: shows one chat, with its name and unread count in the title, and its panes in the history.
import { preferredLanguage, sharedClient, WaggleChat } from '../index';
import { HistoryMirror } from './history-mirror';

document.documentElement.lang = preferredLanguage();

const chat = document.querySelector('waggle-chat');
if (chat instanceof WaggleChat) run(chat);

function run(element: WaggleChat): void {
  const { store } = sharedClient(location.origin);
  let unreadCount = 0;
  const showTitle = (): void => {
    const { name, logo } = store.state.config;
    document.title = unreadCount === 0 ? name : `(${unreadCount}) ${name}`;
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon !== null && logo !== undefined && icon.href !== logo) icon.href = logo;
  };
  element.addEventListener('unread-changed', ({ detail: { count } }) => {
    unreadCount = count;
    showTitle();
  });
  // Shows the name and the logo as soon as the configuration is loaded.
  store.subscribe(showTitle);
  // After a reload nothing has the focus, so the element itself receives no keys.
  document.addEventListener('keydown', (event) => {
    if (event.target === document.body) element.handleKey(event);
  });
  new HistoryMirror(element);
}
