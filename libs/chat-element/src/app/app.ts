import { preferredLanguage, WaggleChat } from '../index';

/** The conversation is part of the address: it survives a reload, and links to channels work. */
const start = '#/';

document.documentElement.lang = preferredLanguage();

const chat = document.querySelector('waggle-chat');
if (chat instanceof WaggleChat) run(chat);

function run(element: WaggleChat): void {
  const title = document.title;
  const readAddress = () => {
    const { hash } = location;
    element.conversation = hash.startsWith(start) && hash !== start ? hash.slice(start.length) : undefined;
  };
  element.addEventListener('conversation-selected', ({ detail: { id } }) => {
    const hash = start + (id ?? '');
    // Going back on a phone goes back to the list.
    if (location.hash !== hash) history.pushState(null, '', id === undefined ? location.pathname : hash);
  });
  element.addEventListener('unread-changed', ({ detail: { count } }) => {
    document.title = count === 0 ? title : `(${count}) ${title}`;
  });
  addEventListener('popstate', readAddress);
  readAddress();
}
