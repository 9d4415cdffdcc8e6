export { launchBrowser } from './launch-browser';
