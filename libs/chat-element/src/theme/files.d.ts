/** A style sheet's text, which the build includes. */
declare module '*.css' {
  const text: string;
  export default text;
}

/** A picture as a template, which the build includes. */
declare module '*.svg' {
  import type { TemplateResult } from 'lit';

  const template: TemplateResult;
  export default template;
}
