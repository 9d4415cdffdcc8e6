// Adds the chat to a page by one line: <script type="module" src="https://chat.example/app/embed.js"></script>.
import { WaggleLauncher } from './launcher/waggle-launcher';

const script = Array.from(document.scripts).find(({ src }) => src === import.meta.url);
const { server = new URL(import.meta.url).origin, name = '', theme } = script?.dataset ?? {};

// A page that has the line twice gets one button.
if (document.querySelector('waggle-launcher') === null) {
  const launcher = new WaggleLauncher();
  Object.assign(launcher, { server, name, ...((theme === 'light' || theme === 'dark') && { theme }) });
  document.body.append(launcher);
}
