import type { Series } from '@salus/contracts/series'
import type { Scope } from '@salus/kernel/scope'
import { listUsersToUpload, type UserToUpload } from '../connections/index.ts'
import { rangeOf, recordHistory, type StoredSamples } from '../ingest/index.ts'

interface History {
  user: Pick<UserToUpload, 'id' | 'client_user_id'>
  series: Series
  connectedAt: Date
  from: Date | null
  to: Date | null
  bringsNew: boolean
}

/** Number of histories that are recorded at the same time. */
const AT_ONCE = 8
/** Number of users that are looked up together. */
const USERS_OF_A_LOOK_UP = 1_000

/** Collects what a body brought of each user and series, and records it when the body has ended. */
export class BulkHistory {
  readonly #provider: string
  readonly #receivedAt: Date
  readonly #byKey = new Map<string, History>()

  constructor(provider: string, receivedAt: Date) {
    this.#provider = provider
    this.#receivedAt = receivedAt
  }

  add(user: UserToUpload, series: Series, stored: StoredSamples): void {
    const key = `${user.id} ${series.name}`
    const history = this.#byKey.get(key) ?? this.#open(key, user, series)
    history.bringsNew ||= stored.inserted + stored.updated > 0
    const range = rangeOf(stored.kept)
    if (range === undefined) return
    if (history.from === null || range.from < history.from) history.from = range.from
    if (history.to === null || range.to > history.to) history.to = range.to
  }

  #open(key: string, { id, client_user_id, connected_at }: UserToUpload, series: Series): History {
    const connectedAt = connected_at ?? this.#receivedAt
    const user = { id, client_user_id }
    const history = { user, series, connectedAt, from: null, to: null, bringsNew: false }
    this.#byKey.set(key, history)
    return history
  }

  /**
   * Records all, as the chunk of one upload each. Users who were deleted meanwhile have none.
   * @param isFinal Whether the body came to its end.
   */
  async record(scope: Scope, isFinal: boolean): Promise<void> {
    const live = await this.#findLive(scope)
    const due = [...this.#byKey.values()].filter(({ user }) => live.has(user.id))
    for (let first = 0; first < due.length; first += AT_ONCE) {
      const part = due.slice(first, first + AT_ONCE)
      await Promise.all(part.map((history) => this.#recordOne(scope, history, isFinal)))
    }
  }

  #recordOne(scope: Scope, history: History, isFinal: boolean): Promise<void> {
    const { user, series: subject, from, to, connectedAt, bringsNew } = history
    const upload = { receivedAt: this.#receivedAt, connectedAt }
    return recordHistory(
      scope,
      user,
      this.#provider,
      { subject, from, to, isFinal, upload },
      bringsNew,
    )
  }

  async #findLive(scope: Scope): Promise<Set<string>> {
    const ids = [...new Set([...this.#byKey.values()].map(({ user }) => user.id))]
    const live = new Set<string>()
    for (let first = 0; first < ids.length; first += USERS_OF_A_LOOK_UP) {
      const named = { ids: ids.slice(first, first + USERS_OF_A_LOOK_UP), clientUserIds: [] }
      for (const { id } of await listUsersToUpload(scope, named, this.#provider)) live.add(id)
    }
    return live
  }
}
