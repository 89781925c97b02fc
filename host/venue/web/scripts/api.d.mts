/** The text of src/feed/api.ts. */
export declare function types(): string
