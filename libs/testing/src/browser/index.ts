export { type BrowserProgram, getChromium } from './chromium';
export { launchBrowser } from './launch-browser';
