/**
 * What so many people need, by figures that benches measured: the arithmetic of docs/capacity.md.
 * All of it is linear in the number of people: far from what was measured, it is an order of
 * magnitude.
 */

/** What a person brings and reads. */
export interface Workload {
  people: number
  /** Series of a person. */
  types: number
  /** Between two values of a series. */
  minutes: number
  historyDays: number
  samplesPerUpload: number
  /** Share of the events that are delivered, from 0 to 1. */
  webhooks: number
  /** Reads of a person, a day. */
  reads: number
  /** Polls of a person's provider, a day. */
  polls: number
}

/** By the process that takes it. */
export type Shares = Readonly<Partial<Record<Role, number>>>
export type Role = 'api' | 'worker' | 'postgres' | 'clickhouse'

/** Names of capacity-figures.json; each says there what it is, and of which unit. */
export type Figures = Readonly<Record<FigureName, Shares>>
type FigureName =
  | 'uploadOf1'
  | 'uploadOf1000'
  | 'delivery'
  | 'read'
  | 'poll'
  | 'eventMove'
  | 'auditMove'
  | 'sampleRewrite'
  | 'sampleBytes'
  | 'eventOf1Bytes'
  | 'eventOf1000Bytes'
  | 'movedEventBytes'
  | 'auditRowBytes'
  | 'uploadOf1Log'
  | 'uploadOf1000Log'
  | 'eventMoveLog'
  | 'auditRowLog'
  | 'processMemory'
  | 'embeddedMemory'
  | 'processConnections'
  | 'shardCost'
  | 'dispatchRate'

const DAY_SECONDS = 86_400
const DAY_HOURS = 24
/** Times the average: a guess. */
export const BUSIEST_HOUR = 4
/** Processors are half busy in the busiest hour. */
const SPARE = 2
/** Guesses, by which processors become machines. */
export const PROCESSORS_OF_A_SHARD = 16
export const PROCESSORS_OF_POSTGRES = 64
const MEMORY_OF_A_PROCESSOR = 4e9
/** The default of PostgreSQL. */
const MAX_CONNECTIONS = 100
/** The default pool of PgBouncer. */
const POOLED_CONNECTIONS = 20
/** PostgreSQL has events for one to two hours, here for two of the busiest. */
const RECENT_HOURS = 2
/** The default of SALUS_EVENT_RETENTION_DAYS. */
const EVENT_DAYS = 90
const SAMPLES_OF_AN_EVENT = 1000

export interface Rate {
  average: number
  busiest: number
}

export interface Disk {
  store: string
  what: string
  now: number
  aDay: number
  afterHistory: number
}

export interface Limit {
  name: string
  /** Number of people at which it is reached. */
  people: number
  help: string
}

export interface Plan {
  ratesASecond: Record<'uploads' | 'samples' | 'events', Rate>
  /** Half busy in the busiest hour. */
  processors: Record<Role, number>
  /** One process does everything, with both databases embedded. */
  isOneProcess: boolean
  /** Processes of Salus; the machine of PostgreSQL; shards of ClickHouse. */
  processes: Record<Role, number>
  memory: Record<Role, number>
  disk: Disk[]
  logADay: number
  connections: { direct: number; pooled: number }
  /** In the order in which growth reaches them. */
  limits: Limit[]
}

/** What a day of all people is made of. */
interface Day {
  samples: number
  uploads: number
  events: number
  deliveries: number
  reads: number
  polls: number
  auditRows: number
}

export function planCapacity(work: Workload, figures: Figures): Plan {
  const day = countDay(work)
  const isSharded = processorsOf(work, day, figures, 1).clickhouse > PROCESSORS_OF_A_SHARD
  const factor = isSharded ? (figures.shardCost.clickhouse ?? 1) : 1
  const processors = processorsOf(work, day, figures, factor)
  const isOneProcess = sum(processors) <= 1
  const processes = processesOf(processors, isOneProcess)
  const salus = isOneProcess ? 1 : processes.api + processes.worker
  return {
    ratesASecond: {
      uploads: toRate(day.uploads),
      samples: toRate(day.samples),
      events: toRate(day.events),
    },
    processors,
    isOneProcess,
    processes,
    memory: memoryOf(processors, processes, isOneProcess, figures),
    disk: diskOf(work, day, figures),
    logADay: logOf(work, day, figures),
    connections: {
      direct: salus * (figures.processConnections.api ?? 0),
      pooled: salus + POOLED_CONNECTIONS,
    },
    limits: limitsOf(work, day, figures),
  }
}

function countDay(work: Workload): Day {
  const { people } = work
  const samples = people * work.types * ((DAY_HOURS * 60) / work.minutes)
  const uploads = samples / work.samplesPerUpload
  const events = uploads * Math.ceil(work.samplesPerUpload / SAMPLES_OF_AN_EVENT)
  const reads = people * work.reads
  return {
    ...{ samples, uploads, events, reads },
    deliveries: events * work.webhooks,
    polls: people * work.polls,
    auditRows: uploads + reads,
  }
}

const toRate = (count: number): Rate => ({
  average: count / DAY_SECONDS,
  busiest: (count / DAY_SECONDS) * BUSIEST_HOUR,
})

/**
 * On the straight line through what was measured with one sample and with a thousand; of larger
 * uploads, beyond it.
 */
const ofSamples = (one = 0, thousand = 0, samples: number): number =>
  one + ((thousand - one) * (samples - 1)) / 999

function processorsOf(work: Workload, day: Day, figures: Figures, shardFactor: number) {
  return byRole((role) => {
    const { uploadOf1, uploadOf1000, sampleRewrite } = figures
    const upload = ofSamples(uploadOf1[role], uploadOf1000[role], work.samplesPerUpload)
    const busiest =
      day.uploads * upload * (role === 'clickhouse' ? shardFactor : 1) +
      day.deliveries * (figures.delivery[role] ?? 0) +
      day.reads * (figures.read[role] ?? 0) +
      day.polls * (figures.poll[role] ?? 0) +
      day.events * (figures.eventMove[role] ?? 0) +
      day.auditRows * (figures.auditMove[role] ?? 0)
    // An erasure rewrites the samples of everybody; those of a day share one, at any hour.
    const rewrite = day.samples * work.historyDays * (sampleRewrite[role] ?? 0)
    return ((busiest * BUSIEST_HOUR + rewrite) * SPARE) / 1e6 / DAY_SECONDS
  })
}

const byRole = (of: (role: Role) => number): Record<Role, number> => ({
  api: of('api'),
  worker: of('worker'),
  postgres: of('postgres'),
  clickhouse: of('clickhouse'),
})

const sum = (shares: Record<Role, number>): number =>
  shares.api + shares.worker + shares.postgres + shares.clickhouse

/** A process has one main thread, so one processor; two of a role, so that one can be replaced. */
function processesOf(processors: Record<Role, number>, isOneProcess: boolean) {
  const least = isOneProcess ? 1 : 2
  return {
    api: Math.max(least, Math.ceil(processors.api)),
    worker: Math.max(least, Math.ceil(processors.worker)),
    postgres: 1,
    clickhouse: Math.max(1, Math.ceil(processors.clickhouse / PROCESSORS_OF_A_SHARD)),
  }
}

function memoryOf(
  processors: Record<Role, number>,
  processes: Record<Role, number>,
  isOneProcess: boolean,
  { processMemory, embeddedMemory }: Figures,
): Record<Role, number> {
  if (isOneProcess) return byRole((role) => embeddedMemory[role] ?? 0)
  const ofStore = (role: Role): number => Math.ceil(processors[role]) * MEMORY_OF_A_PROCESSOR
  return {
    api: processes.api * (processMemory.api ?? 0),
    worker: processes.worker * (processMemory.worker ?? 0),
    postgres: ofStore('postgres'),
    clickhouse: ofStore('clickhouse'),
  }
}

function diskOf(work: Workload, day: Day, figures: Figures): Disk[] {
  const days = work.historyDays
  const { eventOf1Bytes, eventOf1000Bytes, movedEventBytes, auditRowBytes } = figures
  const samplesOfAnEvent = Math.min(work.samplesPerUpload, SAMPLES_OF_AN_EVENT)
  const event = ofSamples(eventOf1Bytes.postgres, eventOf1000Bytes.postgres, samplesOfAnEvent)
  // ClickHouse has what PostgreSQL had in the same proportion, whatever the event contains.
  const moved = (event * (movedEventBytes.clickhouse ?? 0)) / (movedEventBytes.postgres ?? 1)
  const recent = ((day.events * event) / DAY_HOURS) * BUSIEST_HOUR * RECENT_HOURS
  const audit = day.auditRows * (auditRowBytes.postgres ?? 0)
  const growing = (what: string, aDay: number, kept: number): Disk => ({
    ...{ store: 'ClickHouse', what, now: 0, aDay, afterHistory: aDay * kept },
  })
  const level = (what: string, held: number): Disk => ({
    ...{ store: 'PostgreSQL', what, now: held, aDay: 0, afterHistory: held },
  })
  return [
    level('events of two hours', recent),
    level('audit log of a day', audit),
    growing('samples', day.samples * (figures.sampleBytes.clickhouse ?? 0), days),
    growing('events', day.events * moved, Math.min(days, EVENT_DAYS)),
    growing('audit log', day.auditRows * (auditRowBytes.clickhouse ?? 0), days),
  ]
}

function logOf(work: Workload, day: Day, figures: Figures): number {
  const { uploadOf1Log, uploadOf1000Log, eventMoveLog, auditRowLog } = figures
  const upload = ofSamples(uploadOf1Log.postgres, uploadOf1000Log.postgres, work.samplesPerUpload)
  return (
    day.uploads * upload +
    day.events * (eventMoveLog.postgres ?? 0) +
    day.reads * (auditRowLog.postgres ?? 0)
  )
}

function limitsOf(work: Workload, day: Day, figures: Figures): Limit[] {
  const processors = processorsOf(work, day, figures, 1)
  const reached = (name: string, need: number, limit: number, help: string): Limit => ({
    ...{ name, people: (work.people * limit) / need, help },
  })
  const connections = (processors.api + processors.worker) * (figures.processConnections.api ?? 0)
  return [
    reached('one processor for everything', sum(processors), 1, 'processes by role, own databases'),
    reached(
      `${MAX_CONNECTIONS} connections`,
      connections,
      MAX_CONNECTIONS,
      'a pooler of transactions',
    ),
    reached(
      `ClickHouse, ${PROCESSORS_OF_A_SHARD} processors`,
      processors.clickhouse,
      PROCESSORS_OF_A_SHARD,
      'shards',
    ),
    reached(
      'dispatch of events by one connection',
      toRate(day.events).busiest,
      figures.dispatchRate.worker ?? 0,
      'larger uploads, more workers',
    ),
    reached(
      `PostgreSQL, ${PROCESSORS_OF_POSTGRES} processors`,
      processors.postgres,
      PROCESSORS_OF_POSTGRES,
      'larger uploads, then several deployments',
    ),
  ].toSorted((first, second) => first.people - second.people)
}
