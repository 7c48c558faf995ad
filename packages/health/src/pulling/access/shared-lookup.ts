import type {
  Credential,
  CredentialKey,
  CredentialStore,
} from '@salus/kernel/crypto/credential-store'

interface Waiting {
  key: CredentialKey
  found: PromiseWithResolvers<Credential | undefined>
}

/**
 * Finds credentials: those that are wanted in the same turn of the event loop by one statement, and
 * one that several want once. A claim starts many polls, and nine of them are of one person.
 */
export class SharedLookup {
  readonly #store: Pick<CredentialStore, 'findAll'>
  #waiting = new Map<string, Waiting>()

  constructor(store: Pick<CredentialStore, 'findAll'>) {
    this.#store = store
  }

  /** @throws Error when it was sealed with a key that is no longer given */
  find(key: CredentialKey): Promise<Credential | undefined> {
    const { environmentId, userId, name } = key
    const id = `${environmentId} ${userId} ${name}`
    const known = this.#waiting.get(id)
    if (known !== undefined) return known.found.promise
    if (this.#waiting.size === 0) setImmediate(() => void this.#findWaiting())
    const found = Promise.withResolvers<Credential | undefined>()
    this.#waiting.set(id, { key, found })
    return found.promise
  }

  async #findWaiting(): Promise<void> {
    const waiting = [...this.#waiting.values()]
    this.#waiting = new Map()
    try {
      const opened = await this.#store.findAll(waiting.map(({ key }) => key))
      for (const [at, { found }] of waiting.entries()) {
        try {
          found.resolve(opened[at]?.())
        } catch (error) {
          found.reject(error)
        }
      }
    } catch (error) {
      for (const { found } of waiting) found.reject(error)
    }
  }
}
