import { preferredLanguage, WaggleChat } from '../index';

/** Precedes the id of the conversation in the address, so that it survives a reload and links to channels work. */
const hashPrefix = '#/';

document.documentElement.lang = preferredLanguage();

const chat = document.querySelector('waggle-chat');
if (chat instanceof WaggleChat) run(chat);

function run(element: WaggleChat): void {
  const title = document.title;
  const readAddress = (): void => {
    const { hash } = location;
    element.conversation =
      hash.startsWith(hashPrefix) && hash !== hashPrefix ? hash.slice(hashPrefix.length) : undefined;
  };
  element.addEventListener('conversation-selected', ({ detail: { id } }) => {
    const hash = hashPrefix + (id ?? '');
    // Going back on a phone goes back to the list.
    if (location.hash !== hash) history.pushState(null, '', id === undefined ? location.pathname : hash);
  });
  element.addEventListener('unread-changed', ({ detail: { count } }) => {
    document.title = count === 0 ? title : `(${count}) ${title}`;
  });
  addEventListener('popstate', readAddress);
  readAddress();
}
