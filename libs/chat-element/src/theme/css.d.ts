/** A style sheet's text, which the build includes. */
declare module '*.css' {
  const text: string;
  export default text;
}
