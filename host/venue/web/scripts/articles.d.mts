/** The text of src/arbiter/articles.ts. */
export function articles(): string
