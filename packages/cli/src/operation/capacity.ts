import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { formatBytes, formatCount } from '../terminal/number-format.ts'
import { wholeNumber } from '../terminal/option-values.ts'
import { formatTable } from '../terminal/table.ts'
import {
  BUSIEST_HOUR,
  type Disk,
  type Figures,
  type Limit,
  type Plan,
  PROCESSORS_OF_A_SHARD,
  PROCESSORS_OF_POSTGRES,
  planCapacity,
  type Rate,
  type Role,
  type Shares,
  type Workload,
} from './capacity-plan.ts'

const MOST_PEOPLE = 1_000_000_000
/** Of a body of an upload, whatever it contains. */
const MOST_SAMPLES = 100_000
const SERIES = 30
const MINUTES = 5
const READS = 10

interface CapacityOptions {
  people: number
  types: number
  minutes: number
  history: number
  samplesPerUpload?: number
  webhooks: number
  reads: number
  polls: number
  json?: boolean
}

export function addCapacityCommand(parent: Command): void {
  const count = wholeNumber(0, MOST_SAMPLES)
  parent
    .command('capacity')
    .description('compute what so many people need, from measured figures (without a server)')
    .requiredOption('--people <count>', 'number of people', wholeNumber(1, MOST_PEOPLE))
    .option('--types <count>', 'series of a person', wholeNumber(1, 1000), SERIES)
    .option('--minutes <count>', 'minutes between two values', wholeNumber(1, 1440), MINUTES)
    .option('--history <days>', 'days for which data are kept', wholeNumber(1, 36_500), 365)
    .option(
      '--samples-per-upload <count>',
      'samples of an upload; default: an hour of a series',
      wholeNumber(1, MOST_SAMPLES),
    )
    .option('--webhooks <share>', 'share of events that are delivered', readShare, 1)
    .option('--reads <count>', 'reads of a person, a day', count, READS)
    .option('--polls <count>', 'polls of providers for a person, a day', count, 0)
    .option('--json', 'print the plan and the figures it is computed from as JSON')
    .action((options: CapacityOptions) => showCapacity(options))
}

function readShare(text: string): number {
  const value = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && value <= 1) return value
  throw new InvalidArgumentError('It must be a number from 0 to 1.')
}

/** What a figure is, of how much, and how it was measured. */
interface MeasuredFigure {
  values: Shares
  date: string
  processor: string
  node: string
  command: string
}

function showCapacity({ history, samplesPerUpload, json, ...options }: CapacityOptions): void {
  const anHour = Math.max(1, Math.floor(60 / options.minutes))
  const work: Workload = {
    ...options,
    historyDays: history,
    samplesPerUpload: samplesPerUpload ?? anHour,
  }
  const measured: Record<string, MeasuredFigure> = JSON.parse(
    readFileSync(new URL('./capacity-figures.json', import.meta.url), 'utf8'),
  )
  const values = Object.entries(measured).map(([name, figure]) => [name, figure.values])
  const plan = planCapacity(work, Object.fromEntries(values) as Figures)
  console.log(
    json
      ? JSON.stringify({ workload: work, plan, figures: measured }, null, 2)
      : describePlan(work, plan),
  )
}

const NAMES: Readonly<Record<Role, string>> = {
  api: 'Salus, API',
  worker: 'Salus, worker',
  postgres: 'PostgreSQL',
  clickhouse: 'ClickHouse',
}

/** The tables of the command, as docs/capacity.md has them. */
function describePlan(work: Workload, plan: Plan): string {
  const { direct, pooled } = plan.connections
  const parts = [
    formatRates(plan),
    formatProcesses(plan),
    formatDisk(work, plan.disk),
    [
      `Write-ahead log of PostgreSQL: ${formatBytes(plan.logADay)} a day.`,
      `Connections to PostgreSQL: ${formatCount(direct)}; behind a pooler ${formatCount(pooled)}.`,
    ].join('\n'),
    formatLimits(work, plan.limits),
  ]
  return parts.join('\n\n')
}

function formatRates({ ratesASecond }: Plan): string {
  const rows = Object.entries(ratesASecond)
  const column = (title: string, key: keyof Rate) => ({
    title,
    align: 'right' as const,
    text: ([, rate]: [string, Rate]) => formatAmount(rate[key]),
  })
  return formatTable(
    [
      { title: 'A second', text: ([name]) => name },
      column('average', 'average'),
      column(`busiest hour (${BUSIEST_HOUR} ×)`, 'busiest'),
    ],
    rows,
  )
}

function formatProcesses({ isOneProcess, processors, processes, memory }: Plan): string {
  const roles: Role[] = ['api', 'worker', 'postgres', 'clickhouse']
  const total = roles.reduce((sum, role) => sum + processors[role], 0)
  if (isOneProcess) {
    return `One process with both databases embedded: ${formatAmount(total)} of a processor at half load, ${formatBytes(memory.api)} of memory.`
  }
  const nodes: Readonly<Record<Role, string>> = {
    api: `${formatCount(processes.api)} processes`,
    worker: `${formatCount(processes.worker)} processes`,
    postgres: processors.postgres > PROCESSORS_OF_POSTGRES ? 'too much for 1 machine' : '1 machine',
    clickhouse:
      processes.clickhouse === 1
        ? '1 machine'
        : `${formatCount(processes.clickhouse)} shards of ${PROCESSORS_OF_A_SHARD}`,
  }
  return formatTable(
    [
      { title: 'At half load', text: (role: Role) => NAMES[role] },
      { title: 'processors', align: 'right', text: (role) => formatAmount(processors[role]) },
      { title: 'memory', align: 'right', text: (role) => formatBytes(memory[role]) },
      { title: 'nodes', text: (role) => nodes[role] },
    ],
    roles,
  )
}

function formatDisk({ historyDays }: Workload, disk: Disk[]): string {
  const column = (title: string, key: 'now' | 'aDay' | 'afterHistory') => ({
    title,
    align: 'right' as const,
    text: (row: Disk) => (row[key] === 0 ? '·' : formatBytes(row[key])),
  })
  const sum = (key: 'now' | 'aDay' | 'afterHistory'): number =>
    disk.reduce((total, row) => total + row[key], 0)
  const total = { now: sum('now'), aDay: sum('aDay'), afterHistory: sum('afterHistory') }
  return formatTable(
    [
      { title: 'Disk', text: ({ store }: Disk) => store },
      { title: '', text: ({ what }) => what },
      column('now', 'now'),
      column('a day', 'aDay'),
      column(`after ${formatCount(historyDays)} days`, 'afterHistory'),
    ],
    disk,
    { store: 'Total', what: '', ...total },
  )
}

function formatLimits({ people }: Workload, limits: Limit[]): string {
  const table = formatTable(
    [
      { title: 'Limit', text: ({ name }: Limit) => name },
      { title: 'people', align: 'right', text: (limit) => formatPeople(limit.people) },
      { title: '', text: (limit) => (limit.people <= people ? 'reached' : '') },
      { title: 'what helps', text: ({ help }) => help },
    ],
    limits,
  )
  const [first] = limits.filter((limit) => limit.people > people)
  const next =
    first === undefined
      ? 'All limits are reached.'
      : `Next limit: ${first.name}, at ${formatPeople(first.people)} people. What helps: ${first.help}.`
  return `${table}\n\n${next}`
}

/** Two digits: more would be read as exact. */
const formatPeople = (people: number): string =>
  Number.isFinite(people) ? formatCount(Number(people.toPrecision(2))) : 'never'

const formatAmount = (value: number): string =>
  value >= 10 ? formatCount(value) : value.toFixed(value >= 0.1 ? 1 : 3)
