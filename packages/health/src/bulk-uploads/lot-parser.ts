import { SERIES_BY_UPLOAD_NAME, type Series } from '@salus/contracts/series'
import { isTimeZone } from '@salus/kernel/time/instants'
import type { UserToUpload } from '../connections/index.ts'
import {
  type CommonFields,
  commonFieldsOf,
  DeviceCollector,
  type Fields,
  isReadInOnePass,
  parseItem,
  type QuarantinedItem,
  type QuarantineReason,
  type Sample,
  SharedInstants,
  toSample,
  type UploadContext,
} from '../ingest/index.ts'
import type { Refusal } from './bulk-uploads.schema.ts'
import type { LotUsers } from './lot-users.ts'
import { ReadRow, RefusedRow, type RowTemplate } from './rows.ts'

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
  context: UploadContext
  /** Templates of rows whose device is known. */
  templates: Set<RowTemplate>
}

/** What rows of a template have in common, beside their user. */
interface TemplateContext {
  upload: UploadContext
  common: CommonFields
  /** Offset that counts instead of that of the start, or null. */
  timezoneOffset: number | null
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

interface Problem {
  reason: Refusal | QuarantineReason
  isRejected: boolean
}

const refusal = (reason: Refusal): Problem => ({ reason, isRejected: true })

export class LotParser {
  readonly groups = new Map<string, LotGroup>()
  readonly userIds = new Set<string>()
  readonly #provider: string
  readonly #users: LotUsers
  readonly #state: BodyState
  #last: { id: unknown; clientId: unknown; resource: unknown; group: LotGroup } | undefined
  /** Null for a template whose rows are parsed one by one. */
  readonly #contexts = new Map<RowTemplate, TemplateContext | null>()
  #lastRead: { template: RowTemplate; name: string; group: LotGroup } | undefined

  constructor(provider: string, users: LotUsers, state: BodyState) {
    this.#provider = provider
    this.#users = users
    this.#state = state
  }

  /** Adds a row to its group; returns the problem of one that has no sample. */
  add(item: unknown): Problem | undefined {
    if (item instanceof RefusedRow) return refusal(item.reason)
    return item instanceof ReadRow ? this.#addRead(item) : this.#addItem(item)
  }

  #addItem(item: unknown): Problem | undefined {
    const fields = item as Fields
    const group = this.#groupOf(fields)
    if ('reason' in group) return group
    const samples = parseRow(group, fields)
    if (typeof samples === 'string') return quarantine(group, samples, item)
    const measured = fields.systolic ?? fields
    for (const sample of samples) {
      group.samples.push(group.instants.separateSample(sample, idOf(measured)))
      group.devices.add(this.#provider, sample.sourceType, measured)
    }
    return undefined
  }

  /** Adds a row as `#addItem` does, with what rows of its template have in common found once. */
  #addRead(row: ReadRow): Problem | undefined {
    const { template } = row
    const context = this.#contextOf(template)
    if (context === null) return this.#addItem(row.toItem())
    const group = this.#groupOfRead(row)
    if ('reason' in group) return group
    const sample = toSample(context.upload, context.common, row, row.value)
    if (typeof sample === 'string') return quarantine(group, sample, row.toItem())
    if (context.timezoneOffset !== null) sample.timezoneOffset = context.timezoneOffset
    group.samples.push(sample)
    if (group.templates.has(template)) return undefined
    group.templates.add(template)
    const measured = template.item.systolic ?? template.item
    group.devices.add(this.#provider, sample.sourceType, measured)
    return undefined
  }

  #contextOf(template: RowTemplate): TemplateContext | null {
    let context = this.#contexts.get(template)
    if (context === undefined) {
      context = contextOf(template, this.#provider)
      this.#contexts.set(template, context)
    }
    return context
  }

  #groupOfRead({ template, name }: ReadRow): LotGroup | Problem {
    const last = this.#lastRead
    if (last?.template === template && last.name === name) return last.group
    const { item, userKey } = template
    const group = this.#groupOf({ [userKey]: name, resource: item.resource })
    if (!('reason' in group)) this.#lastRead = { template, name, group }
    return group
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
      templates: new Set<RowTemplate>(),
    }
    this.groups.set(key, group)
    this.userIds.add(user.id)
    return group
  }
}

function quarantine({ series, quarantined }: LotGroup, reason: QuarantineReason, item: unknown) {
  quarantined.push({ resource: series.name, reason, item })
  return { reason, isRejected: false }
}

const MOST_OFFSET_SECONDS = 18 * 3600
const isOffset = (offset: unknown): boolean =>
  Number.isInteger(offset) && Math.abs(offset as number) <= MOST_OFFSET_SECONDS

const zoneOf = (zone: unknown): string | null =>
  typeof zone === 'string' && isTimeZone(zone) ? zone : null

function contextOf({ item }: RowTemplate, provider: string): TemplateContext | null {
  const series = SERIES_BY_UPLOAD_NAME.get(item.resource as string)
  const offset = item.timezone_offset ?? null
  if (series === undefined || !isReadInOnePass(series)) return null
  if (offset !== null && !isOffset(offset)) return null
  const upload = { series, provider, timeZone: zoneOf(item.time_zone) }
  return { upload, common: commonFieldsOf(upload, item), timezoneOffset: offset as number | null }
}

/** Parses a row by the rules of uploads; beside an item, it has its own zone and offset. */
function parseRow(group: LotGroup, fields: Fields): Sample[] | QuarantineReason {
  const { time_zone: zone, timezone_offset: offset } = fields
  if (zone !== group.zone) {
    group.zone = zone
    group.context = { ...group.context, timeZone: zoneOf(zone) }
  }
  const samples = parseItem(
    group.context,
    isFlatPressure(group.series, fields) ? pairOf(fields) : fields,
  )
  if (offset === undefined || offset === null || typeof samples === 'string') return samples
  if (!isOffset(offset)) return 'invalid_field'
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
