/** A page of the fake vendor: instants in epoch milliseconds, and values. */
export interface Page {
  data: [at: number, value: number][]
  next: string | null
}

/** Returns the page of an answer; undefined for another answer. */
export function openPage(answer: unknown): Page | undefined {
  const { data } = answer as Partial<Page>
  return data === undefined ? undefined : (answer as Page)
}
