/**
 * Shares a read among callers: however many call while one is under way, they get a single further
 * one, so that each gets a value that was read after its call.
 */
export class SharedRead<Value> {
  readonly #read: () => Promise<Value>
  #current: Promise<Value> | undefined
  #next: Promise<Value> | undefined

  constructor(read: () => Promise<Value>) {
    this.#read = read
  }

  /** @throws what the read throws */
  get(): Promise<Value> {
    if (this.#current === undefined) return this.#begin()
    const begin = () => this.#begin()
    this.#next ??= this.#current.then(begin, begin)
    return this.#next
  }

  #begin(): Promise<Value> {
    this.#next = undefined
    const value = this.#read()
    this.#current = value
    const end = () => {
      if (this.#current === value) this.#current = undefined
    }
    value.then(end, end)
    return value
  }
}
