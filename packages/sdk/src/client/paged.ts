type Query = Record<string, unknown>
type PagingKind = 'cursor' | 'offset' | 'page'

/**
 * A list in pages. Awaited it is the first page; in `for await` it is all items of all pages, which
 * are requested as the loop needs them.
 */
export class Paged<Page, Item> implements PromiseLike<Page>, AsyncIterable<Item> {
  readonly #kind: PagingKind
  readonly #field: string
  readonly #query: Query
  readonly #fetchPage: (query: Query) => Promise<Page>
  readonly #itemsOf: ((page: Page) => Item[]) | undefined

  constructor(
    kind: PagingKind,
    field: string,
    query: object,
    // biome-ignore lint/suspicious/noExplicitAny: the query of the endpoint, with where to go on
    fetchPage: (query: any) => Promise<Page>,
    itemsOf?: (page: Page) => Item[],
  ) {
    this.#kind = kind
    this.#field = field
    this.#query = query as Query
    this.#fetchPage = fetchPage
    this.#itemsOf = itemsOf
  }

  /** Requests the first page. */
  // biome-ignore lint/suspicious/noThenProperty: awaiting a list gives its first page
  then<Value = Page, Other = never>(
    onPage?: ((page: Page) => Value | PromiseLike<Value>) | null,
    onError?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Value | Other> {
    return this.#fetchPage(this.#query).then(onPage, onError)
  }

  catch<Other = never>(
    onError?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Page | Other> {
    return this.then(undefined, onError)
  }

  /** Yields the pages in order. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let query: Query | undefined = this.#query
    while (query !== undefined) {
      const page: Page = await this.#fetchPage(query)
      yield page
      query = this.#next(query, page as Record<string, unknown>)
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#listItems(page)
  }

  /** Returns all items, or the first ones. */
  async toArray(limit = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const items: Item[] = []
    if (limit <= 0) return items
    for await (const item of this) {
      items.push(item)
      if (items.length >= limit) break
    }
    return items
  }

  #listItems(page: Page): Item[] {
    if (this.#itemsOf !== undefined) return this.#itemsOf(page)
    return (page as Record<string, Item[]>)[this.#field] ?? []
  }

  /** Returns the query of the next page, or undefined after the last one. */
  #next(query: Query, page: Record<string, unknown>): Query | undefined {
    if (this.#kind === 'cursor') {
      const cursor = page.next_cursor
      return cursor ? { ...query, next_cursor: cursor } : undefined
    }
    const items = page[this.#field] as unknown[]
    if (items.length === 0) return undefined
    if (this.#kind === 'offset') {
      const end = Number(page.offset) + items.length
      return end < Number(page.total) ? { ...query, offset: end } : undefined
    }
    // A total can be capped, so a full page has another one after it.
    const isLast = items.length < Number(page.size)
    return isLast ? undefined : { ...query, page: Number(page.page) + 1 }
  }
}
