import type { Series } from '@salus/contracts/series'
import type { Scope } from '@salus/kernel/scope'
import { sampleJsonExpression } from './sample-json.ts'
import { readPage, type SamplePage, type SamplePosition } from './sample-page.ts'

/** Samples of one user and series whose start is in [from, to], epoch milliseconds. */
export interface SampleFilter {
  userId: string
  series: Series
  from: number
  to: number
  /** Provider slug, or empty for all. */
  provider: string
  /** Sample type, or empty for all. */
  sampleType: string
  /** Providers that have exactly one device of the user, with its id. */
  devices: ReadonlyMap<string, string>
}

const ORDER = 'started_at, provider, source_type, app_id, sample_type, workout_id'

const WHERE = `environment_id = {environmentId:UUID} and user_id = {userId:UUID}
  and series = {series:String}
  and started_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  and started_at <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')`

function filterOf({ provider, sampleType }: SampleFilter): string {
  const byProvider = provider === '' ? '' : ' and provider = {provider:String}'
  return byProvider + (sampleType === '' ? '' : ' and sample_type = {sampleType:String}')
}

function parametersOf(filter: SampleFilter) {
  const { userId, from, to, provider, sampleType } = filter
  const { name, shape } = filter.series
  const devices = shape === 'blood_pressure' && {
    deviceProviders: [...filter.devices.keys()],
    deviceIds: [...filter.devices.values()],
  }
  return { userId, series: name, from, to, provider, sampleType, ...devices }
}

const AFTER = ` and (${ORDER}) > (fromUnixTimestamp64Milli({afterTime:Int64}, 'UTC'),
  {afterProvider:String}, {afterSource:String}, {afterApp:String}, {afterType:String},
  {afterWorkout:UUID})`

function afterParameters(after: SamplePosition) {
  return {
    afterTime: after.startedAt,
    afterProvider: after.provider,
    afterSource: after.sourceType,
    afterApp: after.appId,
    afterType: after.sampleType,
    afterWorkout: after.workoutId,
  }
}

/** Returns one page of samples in overall order, grouped by source. */
export async function readGroupedSamples(
  { clickhouse, environment }: Scope,
  filter: SampleFilter,
  after: SamplePosition | null,
  pageSize: number,
): Promise<SamplePage> {
  // Texts are written as JSON, so that no column contains the separating tabs and newlines. All
  // versions are read, the newest first, and of equally new ones the larger, as when samples are
  // merged. The few others are skipped while the lines are split, because FINAL costs the engine
  // more than the rest of a narrow read.
  const bytes = await clickhouse.queryBytes(
    `select toJSONString(provider), source_type, toJSONString(app_id), workout_id,
      toUnixTimestamp64Milli(started_at), toJSONString(sample_type), toJSONString(sport),
      ${sampleJsonExpression(filter.series)}
    from samples
    where ${WHERE}${filterOf(filter)}${after === null ? '' : AFTER}
    order by ${ORDER}, version desc, value desc
    limit {pageSize:UInt32} + 1
    settings optimize_read_in_order = 0`,
    {
      environmentId: environment.id,
      ...parametersOf(filter),
      ...(after === null ? {} : afterParameters(after)),
      pageSize,
    },
    'TSVRaw',
  )
  return readPage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), pageSize)
}

const TAB = 9
const NEWLINE = 10

/**
 * Returns samples in order of time without their sources, or undefined when there are more than
 * `most`.
 */
export async function readFlatSamples(
  { clickhouse, environment }: Scope,
  filter: SampleFilter,
  most: number,
): Promise<Buffer | undefined> {
  const bytes = await clickhouse.queryBytes(
    `select count(), arrayStringConcat(groupArray(sample), ',')
    from (
      select ${sampleJsonExpression(filter.series)} as sample
      from samples final
      where ${WHERE}${filterOf(filter)}
      order by ${ORDER}
      limit {most:UInt32} + 1
    )
    settings optimize_read_in_order = 0`,
    { environmentId: environment.id, ...parametersOf(filter), most },
    'TSVRaw',
  )
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tab = line.indexOf(TAB)
  if (Number(line.toString('utf8', 0, tab)) > most) return undefined
  return line.subarray(tab + 1, line.indexOf(NEWLINE, tab))
}
