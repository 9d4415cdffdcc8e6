/*
 * On Linux with a POSIX locale, Chromium calls its language `en-US@posix` or `C`, which `Intl` rejects. uPlot 1.6.32
 * passes it on while it is loaded, so that the page stays empty: https://github.com/leeoniya/uPlot/issues/1053
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' });
}
