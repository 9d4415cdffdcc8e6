// Adds a button that opens the chat: <script type="module" src="https://chat.example/app/embed.js?name=Help"></script>.
import { WaggleLauncher } from './launcher/waggle-launcher';

// Not from the script element: markup that an attacker can add to the page could pose as it, and name another service.
const { origin, searchParams } = new URL(import.meta.url);
const name = searchParams.get('name') ?? '';
const theme = searchParams.get('theme');

/** Once, even if the page has the line twice. */
function addLauncher(): void {
  if (document.querySelector('waggle-launcher') !== null) return;
  // Another copy of the package defines no elements.
  if (customElements.get('waggle-launcher') === undefined) customElements.define('waggle-launcher', WaggleLauncher);
  const launcher = new WaggleLauncher();
  Object.assign(launcher, { server: origin, name, ...((theme === 'light' || theme === 'dark') && { theme }) });
  document.body.append(launcher);
}

// An `async` script may run before the body exists.
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', addLauncher);
else addLauncher();
