import { benchDispatchers } from './dispatchers.ts'
import { benchFlames } from './flame.ts'
import { benchGrowth } from './growth.ts'
import { benchManyEvents } from './many-events.ts'
import { benchNarrow } from './narrow.ts'
import { benchNotifications } from './notifications.ts'
import { benchPeers } from './peers.ts'
import { benchPooling } from './pooling.ts'
import { benchProcesses } from './processes.ts'
import { benchReplicas } from './replicas.ts'
import { benchUploadParts } from './upload-parts.ts'
import { benchUploadProcessor } from './upload-processor.ts'
import { benchWebhookLatency } from './webhook-latency.ts'

/** Value of an argument such as `--rounds=3`. */
type ReadOption = (name: string) => string | undefined

/** Benches with stores and tables of their own, which run only by their name. */
const ALONE: Readonly<Record<string, (option: ReadOption) => Promise<void>>> = {
  peers: (option) => {
    const only = option('only')?.split(',')
    const [people, days] = [Number(option('people') ?? 16), Number(option('days') ?? 365)]
    const rounds = Number(option('rounds') ?? 5)
    return benchPeers({ people, days, rounds, ...(only && { only }) })
  },
  'upload-processor': (option) =>
    benchUploadProcessor(Number(option('rounds') ?? 5), option('against')),
  'upload-parts': (option) => benchUploadParts(Number(option('rounds') ?? 9)),
  narrow: (option) => benchNarrow(Number(option('rounds') ?? 5), option('against')),
  processes: () => benchProcesses(),
  dispatchers: (option) => benchDispatchers(Number(option('rounds') ?? 5)),
  notifications: (option) => benchNotifications(Number(option('rounds') ?? 5)),
  pooling: (option) => benchPooling(Number(option('rounds') ?? 5)),
  replicas: (option) => benchReplicas(Number(option('rounds') ?? 5)),
  'webhook-latency': (option) => benchWebhookLatency(Number(option('rounds') ?? 3)),
  'many-events': (option) => {
    const events = Number(option('events') ?? 10_000_000)
    const people = Number(option('people') ?? 1_000_000)
    const recent = events * Number(option('recent') ?? 0.1)
    return benchManyEvents({ people, events, recent }, option('only'))
  },
  flame: (option) => benchFlames(option('against')),
  growth: (option) => {
    const steps = (option('steps') ?? '1,10,100').split(',').map(Number)
    const keep = option('keep')
    const people = Number(option('people') ?? 100)
    return benchGrowth({ people, steps, ...(keep && { keep }) })
  },
}

/** Runs the first bench of the names that runs alone, and returns whether there is one. */
export async function runAlone(names: readonly string[], option: ReadOption): Promise<boolean> {
  const name = names.find((wanted) => wanted in ALONE)
  await ALONE[name ?? '']?.(option)
  return name !== undefined
}
