import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import type pg from 'pg'
import { median, percentile, type Row, thousands, times } from './measure.ts'
import { sendMessages } from './mllp-client.ts'
import { withDescendants } from './server-process.ts'
import { processorSeconds } from './vendor-process.ts'

/** Rounds that count; the first one before them warms everything up. */
const ROUNDS = 5
/** Messages of a round, by the number of connections; 20 are the default maximum of a listener. */
const MESSAGES = { 1: 250, 8: 1200, 20: 2000 } as const
type Connections = keyof typeof MESSAGES
const LISTENERS = ['echo', 'append', 'store', 'salus'] as const
type Listener = (typeof LISTENERS)[number]
const FLUSHES = 100

interface ListenerBench {
  pool: pg.Pool
  /** Process id of PostgreSQL. */
  postmaster: number
  /** Ports of the listeners. */
  ports: Record<Listener, number>
  /** Returns the ids of the processes behind a listener, without PostgreSQL. */
  processesOf: (listener: Listener) => number[]
  /** File of the disk on which PostgreSQL and `append` write. */
  path: string
  makeMessages: (count: number, name: string) => Buffer[]
}

/** What one listener took, round by round. */
class Figures {
  readonly rates: number[] = []
  readonly latencies: number[] = []
  /** Microseconds of the processor a message: of the listener, and of PostgreSQL. */
  readonly own: number[] = []
  readonly postgres: number[] = []
}

/**
 * Messages a second of the listener and of its bare counterparts, in turns, with the processor time
 * of each and the time of a flush to the disk. Messages are applied in another figure: here their
 * jobs wait.
 */
export async function benchListeners(bench: ListenerBench): Promise<Row[]> {
  await holdJobs(bench.pool)
  const rows: Row[] = []
  const flushes: number[] = []
  const alone = new Map<Listener, number>()
  for (const connections of [1, 8, 20] as const) {
    const figures = new Map(LISTENERS.map((name) => [name, new Figures()]))
    for (let round = 0; round <= ROUNDS; round++) {
      flushes.push(...measureFlushes(bench))
      for (const name of LISTENERS) {
        const into = round === 0 ? new Figures() : (figures.get(name) as Figures)
        const messages = bench.makeMessages(MESSAGES[connections], `${connections}R${round}`)
        await measureRound(bench, { name, connections, messages }, into)
      }
    }
    const of = (name: Listener): Figures => figures.get(name) as Figures
    if (connections === 1) {
      for (const name of LISTENERS) alone.set(name, median(of(name).rates))
    }
    const flushMs = median(flushes)
    const echoMs = 1000 / (alone.get('echo') as number)
    rows.push(...rowsOf(connections, of, { flushMs, echoMs }))
  }
  return rows
}

interface Round {
  name: Listener
  connections: Connections
  messages: readonly Buffer[]
}

async function measureRound(
  bench: ListenerBench,
  { name, connections, messages }: Round,
  into: Figures,
): Promise<void> {
  const own = () => processorSeconds(bench.processesOf(name))
  const postgres = () => processorSeconds(withDescendants(bench.postmaster))
  const before = [own(), postgres()] as const
  const sent = await sendMessages(bench.ports[name], messages, connections)
  const micro = (seconds: number): number => (seconds * 1e6) / messages.length
  into.own.push(micro(own() - before[0]))
  into.postgres.push(micro(postgres() - before[1]))
  into.rates.push(messages.length / sent.seconds)
  into.latencies.push(...sent.latencies)
}

/** Returns the process that started those of PostgreSQL. */
export async function findPostmaster(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query('select pg_backend_pid() as pid')
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${rows[0].pid}/status`, 'utf8'))?.[1])
}

/** Milliseconds of appending a message to a file and bringing it to the disk, one at a time. */
function measureFlushes({ path, makeMessages }: ListenerBench): number[] {
  const [message = Buffer.alloc(0)] = makeMessages(1, 'flush')
  const file = openSync(path, 'a')
  try {
    return Array.from({ length: FLUSHES }, () => {
      const startedAt = performance.now()
      writeSync(file, message)
      fdatasyncSync(file)
      return performance.now() - startedAt
    })
  } finally {
    closeSync(file)
  }
}

async function holdJobs(pool: pg.Pool): Promise<void> {
  await pool.query(`
    create function bench_hold() returns trigger language plpgsql as
    $$ begin new.run_at := now() + interval '1 day'; return new; end $$;
    create trigger bench_hold before insert on graphile_worker._private_jobs
    for each row execute function bench_hold()`)
}

interface Disk {
  flushMs: number
  /** A message to its answer at the echo, over one connection. */
  echoMs: number
}

function rowsOf(
  connections: Connections,
  of: (name: Listener) => Figures,
  { flushMs, echoMs }: Disk,
): Row[] {
  const rate = (name: Listener): number => median(of(name).rates)
  const many = connections === 1 ? '1 connection' : `${connections} connections`
  const job = `messages received over MLLP, ${many}`
  const [salus, echo] = [rate('salus'), rate('echo')]
  const beside = (name: Listener, comparedWith: string): Row => ({
    job,
    salus: `${thousands(salus)}/s`,
    comparedWith,
    other: `${thousands(rate(name))}/s`,
    ratio: times(salus / rate(name)),
    goal: name === 'echo' ? '≥ 0.3' : '',
    isMet: name === 'echo' ? salus / echo >= 0.3 : null,
  })
  // A flush can have one message of each connection, and each is sent and answered once.
  const most = Math.min(echo, (1000 * connections) / (flushMs + echoMs))
  const milliseconds = (name: Listener): string =>
    [0.5, 0.99].map((share) => percentile(of(name).latencies, share).toFixed(2)).join(' and ')
  const processor = (name: Listener): number => median(of(name).own) + median(of(name).postgres)
  const micro = (name: Listener): string => {
    const [own, postgres] = [median(of(name).own), median(of(name).postgres)]
    return `${thousands(own)} + ${thousands(postgres)} µs`
  }
  return [
    beside('echo', 'echo that reads a frame and answers, storing nothing'),
    {
      ...beside('echo', `one flush of ${flushMs.toFixed(2)} ms for all that wait, the least`),
      other: `${thousands(most)}/s, ${times(most / echo)} of the echo`,
      ratio: times(salus / most),
      goal: '',
      isMet: null,
    },
    beside('append', 'echo with one append and flush a message'),
    beside('store', 'echo with one INSERT and commit a message'),
    {
      job: `message to its answer, p50 and p99, ${many}`,
      salus: `${milliseconds('salus')} ms`,
      comparedWith: 'echo with one append and flush; with one INSERT',
      other: `${milliseconds('append')}; ${milliseconds('store')} ms`,
      ratio: '',
      goal: '',
      isMet: null,
    },
    {
      job: `processor a message, listener + PostgreSQL, ${many}`,
      salus: micro('salus'),
      comparedWith: 'echo with one INSERT and commit a message',
      other: `${micro('store')} (echo ${thousands(median(of('echo').own))})`,
      ratio: times(processor('salus') / processor('store')),
      goal: '',
      isMet: null,
    },
  ]
}
