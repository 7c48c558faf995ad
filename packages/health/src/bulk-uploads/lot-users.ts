import type { Scope } from '@salus/kernel/scope'
import { listUsersToUpload, type UserToUpload } from '../connections/index.ts'
import type { Fields } from '../ingest/index.ts'
import { ReadRow } from './rows.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The users of a lot. They are looked up again for each lot, because a body may take minutes. */
export class LotUsers {
  readonly #scope: Scope
  readonly #provider: string
  readonly #byId = new Map<string, UserToUpload | undefined>()
  readonly #byClientId = new Map<string, UserToUpload | undefined>()

  constructor(scope: Scope, provider: string) {
    this.#scope = scope
    this.#provider = provider
  }

  get(id: unknown, named: string): UserToUpload | undefined {
    return named === id ? this.#byId.get(named.toLowerCase()) : this.#byClientId.get(named)
  }

  /** Looks up the users of rows that the lot does not know yet. */
  async find(items: readonly unknown[]): Promise<void> {
    const ids = new Set<string>()
    const clientUserIds = new Set<string>()
    let last: unknown
    for (const item of items) {
      const { user_id: id, client_user_id: clientId }: Fields =
        item instanceof ReadRow ? { [item.template.userKey]: item.name } : ((item ?? {}) as Fields)
      const named = id ?? clientId
      // Consecutive rows mostly share a user.
      if (named === last || typeof named !== 'string') continue
      last = named
      if (named !== id) clientUserIds.add(named)
      else if (UUID.test(named.toLowerCase())) ids.add(named.toLowerCase())
    }
    const named = {
      ids: [...ids].filter((id) => !this.#byId.has(id)),
      clientUserIds: [...clientUserIds].filter((id) => !this.#byClientId.has(id)),
    }
    if (named.ids.length + named.clientUserIds.length > 0) await this.#lookUp(named)
  }

  async #lookUp({ ids, clientUserIds }: { ids: string[]; clientUserIds: string[] }): Promise<void> {
    for (const id of ids) this.#byId.set(id, undefined)
    for (const id of clientUserIds) this.#byClientId.set(id, undefined)
    // PostgreSQL refuses a text with NUL, which is no id of anyone.
    const storable = clientUserIds.filter((id) => !id.includes('\0') && id.isWellFormed())
    const named = { ids, clientUserIds: storable }
    for (const user of await listUsersToUpload(this.#scope, named, this.#provider)) {
      this.#byId.set(user.id, user)
      this.#byClientId.set(user.client_user_id, user)
    }
  }
}
