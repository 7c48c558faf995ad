import { OutcomeQueue } from '@salus/kernel/batching/outcome-queue'
import type { Db } from '@salus/kernel/postgres/database'
import type { Stores } from '@salus/kernel/scope'
import { attemptsUpsert, type ResourceStatisticsRow } from '../../connections/index.ts'
import type { Collection, Connector } from '../../connectors/index.ts'
import { updateHistoryRuns } from '../history-runs.ts'
import {
  connectionOf,
  keyOf,
  lockTasks,
  type PullTaskRow,
  saveTasks,
} from '../pull-tasks.global.repository.ts'
import { applyOutcome, type StepOutcome, type Timing } from './apply-outcome.ts'
import type { Step } from './next-step.ts'

/** The outcome of a claimed task. */
export interface PullRecord {
  task: PullTaskRow
  /** undefined when there was no user or collection to pull. */
  subject: { connector: Connector; collection: Collection; clientUserId: string } | undefined
  step: Step | undefined
  outcome: StepOutcome
  startedAt: number
  timing: Timing
}

/** Records outcomes of all tasks; those that arrive during one transaction share the next. */
export class OutcomeRecorder {
  readonly #stores: Stores
  readonly #lease: string
  readonly #queue: OutcomeQueue<PullRecord>

  constructor(stores: Stores, lease: string) {
    this.#stores = stores
    this.#lease = lease
    this.#queue = new OutcomeQueue(stores.log, 'outcomes of pulls are not stored yet', (records) =>
      this.#store(records),
    )
  }

  /** Resolves when it is durable, or abandoned because the process ends. */
  record(record: PullRecord): Promise<void> {
    return new Promise((resolve) => this.#queue.add(record, () => resolve()))
  }

  /** Waits for the queue; without a database it is abandoned, and the data are pulled again. */
  stop(): Promise<void> {
    return this.#queue.stop()
  }

  #store(records: readonly PullRecord[]): Promise<void> {
    const { db, clock } = this.#stores
    const now = clock.now().getTime()
    const ofHistory = records.filter(({ task, step, subject }) => subject && step && isOpen(task))
    return db.transaction().execute(async (transaction) => {
      const keys = records.map(({ task }) => task)
      const rows = await lockTasks(
        transaction,
        keys,
        ofHistory.map(({ task }) => task),
      )
      const changed = records.flatMap((record) => {
        const row = rows.get(keyOf(record.task))
        if (row === undefined) return []
        const settled = this.#updateTask(row, record, now)
        rows.set(keyOf(settled), settled)
        return [settled]
      })
      await saveTasks(transaction, changed)
      await this.#settleHistories(transaction, ofHistory, rows)
      const attempts = attemptsOf(records)
      if (attempts.length > 0) await attemptsUpsert(transaction, attempts).execute()
    })
  }

  #updateTask(row: PullTaskRow, record: PullRecord, now: number): PullTaskRow {
    const { task, step, outcome, startedAt, timing } = record
    // Another account was connected meanwhile: the coverage does not apply to it.
    if (row.account_id !== task.account_id) return row
    const settled = applyOutcome(row, step, outcome, { startedAt, now, timing })
    if (row.lease === this.#lease) return settled
    // The lease ran out, or the task was stopped or planned anew: the coverage is still true.
    const { lease, due_at, kind } = row
    return { ...settled, lease, due_at, kind }
  }

  async #settleHistories(
    transaction: Db,
    records: readonly PullRecord[],
    rows: ReadonlyMap<string, PullTaskRow>,
  ): Promise<void> {
    if (records.length === 0) return
    const byConnection = Map.groupBy(rows.values(), connectionOf)
    const subjects = new Map(
      records.flatMap(({ task, subject }) => {
        if (subject === undefined) return []
        const { connector, clientUserId } = subject
        const user = { id: task.user_id, client_user_id: clientUserId }
        const tasks = byConnection.get(connectionOf(task)) ?? []
        return [[connectionOf(task), { connector, user, tasks }]]
      }),
    )
    await updateHistoryRuns(this.#stores, transaction, [...subjects.values()])
  }
}

/** Whether history was pending or given up: holding it now may complete a run. */
const isOpen = ({ coverage }: PullTaskRow): boolean =>
  coverage.some(({ state }) => state !== 'held')

/**
 * Returns the latest attempt for each resource of a connection; a failure precedes a success of the
 * same moment.
 */
function attemptsOf(records: readonly PullRecord[]): ResourceStatisticsRow[] {
  const attempts = new Map<string, ResourceStatisticsRow>()
  for (const { task, subject, step, outcome, startedAt } of records) {
    if (step === undefined || subject === undefined) continue
    if (outcome.kind !== 'held' && outcome.kind !== 'failed') continue
    const status = outcome.kind === 'held' ? 'success' : 'failure'
    for (const resource of subject.collection.resources) {
      const key = `${connectionOf(task)} ${resource}`
      const known = attempts.get(key)
      const knownAt = known?.last_attempt_at.getTime() ?? Number.NEGATIVE_INFINITY
      if (knownAt > startedAt) continue
      if (knownAt === startedAt && known?.last_attempt_status === 'failure') continue
      attempts.set(key, {
        environment_id: task.environment_id,
        user_id: task.user_id,
        provider: task.provider,
        resource,
        last_attempt_at: new Date(startedAt),
        last_attempt_status: status,
        sent_count: 0,
      })
    }
  }
  return [...attempts.values()]
}
