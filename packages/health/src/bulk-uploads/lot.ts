import { SERIES_BY_UPLOAD_NAME, type Series } from '@salus/contracts/series'
import type { Scope } from '@salus/kernel/scope'
import { isTimeZone } from '@salus/kernel/time/instants'
import { listUsersToUpload, type UserToUpload } from '../connections/index.ts'
import {
  DeviceCollector,
  parseItem,
  type QuarantinedItem,
  type QuarantineReason,
  type Sample,
  SharedInstants,
} from '../ingest/index.ts'
import type { Refusal } from './bulk-uploads.schema.ts'
import { RefusedRow, type Rows } from './rows.ts'

/** Rows that are stored together: enough for whole inserts, few enough for memory. */
const ROWS_OF_A_LOT = 32_000
/** Rows may have long texts. */
const BYTES_OF_A_LOT = 8 * 1024 ** 2

type Fields = Record<string, unknown>

/** Samples of one user and series in a lot: what one upload of JSON would have. */
export interface LotGroup {
  user: UserToUpload
  series: Series
  samples: Sample[]
  quarantined: QuarantinedItem[]
  devices: DeviceCollector
  instants: SharedInstants
  /** Zone of the last row, and the context that rows with this zone share. */
  zone: unknown
  context: Parameters<typeof parseItem>[0]
}

export interface RowProblem {
  line: number
  reason: Refusal | QuarantineReason
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Parses rows as uploads of JSON would, until they are enough to be stored. Each row is parsed when
 * it arrives: kept until the lot is full, the rows would take more memory than their samples.
 */
export class Lot {
  readonly #users: LotUsers
  readonly #parser: LotParser
  readonly #state: BodyState
  #bytes = 0
  rows = 0
  rejected = 0
  /** By line. */
  readonly problems: RowProblem[] = []

  constructor(scope: Scope, provider: string, state: BodyState) {
    this.#users = new LotUsers(scope, provider)
    this.#parser = new LotParser(provider, this.#users, state)
    this.#state = state
  }

  get isFull(): boolean {
    return this.rows >= ROWS_OF_A_LOT || this.#bytes >= BYTES_OF_A_LOT
  }

  async add({ firstLine, items, bytes }: Rows): Promise<void> {
    await this.#users.find(items)
    for (const [index, item] of items.entries()) {
      if (item === undefined) continue
      this.rows++
      const problem = this.#parser.add(item)
      if (problem === undefined) continue
      if (problem.isRejected) this.rejected++
      this.problems.push({ line: firstLine + index, reason: problem.reason })
    }
    this.#bytes += bytes
  }

  /** Ends the lot; returns what each user and series has of it. */
  end(): Iterable<LotGroup> {
    this.#state.endLot(this.#parser.userIds)
    return this.#parser.groups.values()
  }
}

/** Users of a body; more are refused, because each costs memory until the end. */
const MOST_USERS = 10_000

/** What is known of a body from lot to lot. */
export class BodyState {
  readonly #userIds = new Set<string>()
  #instants = new Map<string, SharedInstants>()

  /** Returns false for one user too many. */
  admit(userId: string): boolean {
    if (this.#userIds.size >= MOST_USERS && !this.#userIds.has(userId)) return false
    this.#userIds.add(userId)
    return true
  }

  /** Readings of one instant are neighbors, though a lot may end between them. */
  instantsOf(userId: string): SharedInstants {
    let instants = this.#instants.get(userId)
    if (instants === undefined) {
      instants = new SharedInstants()
      this.#instants.set(userId, instants)
    }
    return instants
  }

  /** Forgets the readings of users that the lot did not have. */
  endLot(userIds: ReadonlySet<string>): void {
    this.#instants = new Map([...this.#instants].filter(([userId]) => userIds.has(userId)))
    for (const instants of this.#instants.values()) instants.forgetEarlier()
  }
}

/** The users of a lot. They are looked up again for each lot, because a body may take minutes. */
class LotUsers {
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
      const { user_id: id, client_user_id: clientId } = (item ?? {}) as Fields
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

interface Problem {
  reason: Refusal | QuarantineReason
  isRejected: boolean
}

const refusal = (reason: Refusal): Problem => ({ reason, isRejected: true })

class LotParser {
  readonly groups = new Map<string, LotGroup>()
  readonly userIds = new Set<string>()
  readonly #provider: string
  readonly #users: LotUsers
  readonly #state: BodyState
  #last: { id: unknown; clientId: unknown; resource: unknown; group: LotGroup } | undefined

  constructor(provider: string, users: LotUsers, state: BodyState) {
    this.#provider = provider
    this.#users = users
    this.#state = state
  }

  /** Adds a row to its group; returns the problem of one that has no sample. */
  add(item: unknown): Problem | undefined {
    if (item instanceof RefusedRow) return refusal(item.reason)
    const fields = item as Fields
    const group = this.#groupOf(fields)
    if ('reason' in group) return group
    const samples = parseRow(group, fields)
    if (typeof samples === 'string') {
      group.quarantined.push({ resource: group.series.name, reason: samples, item })
      return { reason: samples, isRejected: false }
    }
    const measured = fields.systolic ?? fields
    for (const sample of samples) {
      group.samples.push(group.instants.separateSample(sample, idOf(measured)))
      group.devices.add(this.#provider, sample.sourceType, measured)
    }
    return undefined
  }

  #groupOf(fields: Fields): LotGroup | Problem {
    const { user_id: id, client_user_id: clientId, resource } = fields
    const last = this.#last
    const isSame = last?.id === id && last?.clientId === clientId && last?.resource === resource
    if (last !== undefined && isSame) return last.group
    const user = this.#userOf(id, clientId)
    if ('reason' in user) return user
    const series = SERIES_BY_UPLOAD_NAME.get(resource as string)
    if (series === undefined) return refusal('unknown_resource')
    const group = this.#openGroup(user, series)
    this.#last = { id, clientId, resource, group }
    return group
  }

  #userOf(id: unknown, clientId: unknown): UserToUpload | Problem {
    const named = id ?? clientId
    if (typeof named !== 'string') return refusal('missing_user')
    const user = this.#users.get(id, named)
    if (user === undefined) return refusal('unknown_user')
    if (user.connected_status !== 'connected') return refusal('not_connected')
    return this.#state.admit(user.id) ? user : refusal('too_many_users')
  }

  #openGroup(user: UserToUpload, series: Series): LotGroup {
    const key = `${user.id} ${series.name}`
    const open = this.groups.get(key)
    if (open !== undefined) return open
    const context = { series, provider: this.#provider, timeZone: null }
    const group = {
      ...{ user, series, samples: [], quarantined: [], devices: new DeviceCollector() },
      ...{ instants: this.#state.instantsOf(user.id), zone: undefined, context },
    }
    this.groups.set(key, group)
    this.userIds.add(user.id)
    return group
  }
}

const MOST_OFFSET_SECONDS = 18 * 3600

/** Parses a row by the rules of uploads; beside an item, it has its own zone and offset. */
function parseRow(group: LotGroup, fields: Fields): Sample[] | QuarantineReason {
  const { time_zone: zone, timezone_offset: offset } = fields
  if (zone !== group.zone) {
    group.zone = zone
    const isKnown = typeof zone === 'string' && isTimeZone(zone)
    group.context = { ...group.context, timeZone: isKnown ? zone : null }
  }
  const samples = parseItem(
    group.context,
    isFlatPressure(group.series, fields) ? pairOf(fields) : fields,
  )
  if (offset === undefined || offset === null || typeof samples === 'string') return samples
  if (!Number.isInteger(offset) || Math.abs(offset as number) > MOST_OFFSET_SECONDS) {
    return 'invalid_field'
  }
  for (const sample of samples) sample.timezoneOffset = offset as number
  return samples
}

/** Whether a blood pressure has its values side by side, as a table has them. */
const isFlatPressure = ({ shape }: Series, { systolic, value }: Fields): boolean =>
  shape === 'blood_pressure' && (systolic ?? null) === null && value !== undefined

const pairOf = (fields: Fields): Fields => ({
  systolic: fields,
  diastolic: { ...fields, value: fields.diastolic },
})

/** Returns the id of a row at its source. */
function idOf(measured: unknown): string {
  const { id } = measured as { id?: unknown }
  return typeof id === 'string' ? id : ''
}
