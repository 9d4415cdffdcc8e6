import { preferredLanguage, WaggleChat } from '../index';
import { HistoryMirror } from './history-mirror';

document.documentElement.lang = preferredLanguage();

const chat = document.querySelector('waggle-chat');
if (chat instanceof WaggleChat) run(chat);

function run(element: WaggleChat): void {
  const { title } = document;
  element.addEventListener('unread-changed', ({ detail: { count } }) => {
    document.title = count === 0 ? title : `(${count}) ${title}`;
  });
  // After a reload nothing has the focus.
  document.addEventListener('keydown', (event) => {
    if (event.target === document.body) element.handleKey(event);
  });
  new HistoryMirror(element);
}
