declare module '*.md' {
  /** The text of the document. */
  const text: string;
  export default text;
}
