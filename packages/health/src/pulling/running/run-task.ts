import { setTimeout as sleep } from 'node:timers/promises'
import { findProvider } from '@salus/contracts/providers'
import { HOUR_MS } from '@salus/contracts/time-units'
import { AppError } from '@salus/kernel/errors'
import { createScope, type Environment } from '@salus/kernel/scope'
import { failConnection } from '../../connections/index.ts'
import { type Collection, type Connector, VendorError } from '../../connectors/index.ts'
import type { ArrivedData } from '../../ingest/index.ts'
import { BudgetSpent, type Budgets } from '../access/budgets.ts'
import type { TokenKeeper } from '../access/token-keeper.ts'
import { openVendorSession } from '../access/vendor-session.ts'
import type { PullTaskRow, TaskSubject } from '../pull-tasks.global.repository.ts'
import { stopPulling } from '../pull-tasks.repository.ts'
import type { PullingContext } from '../pulling-context.ts'
import type { StepOutcome } from './apply-outcome.ts'
import { classifyFailure } from './classify-failure.ts'
import type { InterruptedAnswers } from './interrupted-answers.ts'
import { chooseStep, pollMsOf, type Step } from './next-step.ts'
import type { PullRecord } from './outcome-recorder.ts'
import { pullRange, pullRecord, requestMessages } from './pull-range.ts'
import { removeMissing, type SeenRecords } from './remove-missing.ts'
import type { PollDigest, UnchangedPolls } from './unchanged-polls.ts'

/** Context of tasks. */
export interface TaskRunner extends PullingContext {
  budgets: Budgets
  tokens: TokenKeeper
  /** Aborts when the process has to end. */
  signal: AbortSignal
  random: () => number
  interrupted: InterruptedAnswers
  unchanged: UnchangedPolls
  /** Whether a vendor sends messages about an environment's users. */
  isSubscribed: (environmentId: string, provider: string) => boolean
}

/** A claimed task with its connection. */
export interface ClaimedTask {
  task: PullTaskRow
  /** undefined when the connection or the user is gone. */
  subject: TaskSubject | undefined
  /** undefined when the team is gone. */
  environment: Environment | undefined
}

/** Interval of polls of vendors that send messages, since messages may get lost. */
const SAFETY_POLL_MS = 6 * HOUR_MS
const STORE_TRIES = 20
const STORE_RETRY_MS = 250

/** Runs one step of a task. Never throws: an error becomes the outcome. */
export async function runTask(
  runner: TaskRunner,
  { task, subject, environment }: ClaimedTask,
): Promise<PullRecord> {
  const startedAt = runner.clock.now().getTime()
  const connector = runner.connectors.find(task.provider)
  const collection = connector?.collections.find(({ name }) => name === task.collection)
  const isKnown = connector !== undefined && collection !== undefined
  const pollMs = isKnown ? presentPollMs(runner, task, pollMsOf(connector, collection)) : 0
  const record = { task, startedAt, timing: { pollMs, random: runner.random } }
  const isLive = subject?.status === 'connected' && environment !== undefined
  if (connector === undefined || collection === undefined || !isLive) {
    return { ...record, subject: undefined, step: undefined, outcome: { kind: 'parked' } }
  }
  const known = { connector, collection, clientUserId: subject.client_user_id }
  const step = chooseStep(task, collection, startedAt)
  // Claimed a moment too early, or already done.
  if (step === undefined) {
    return { ...record, subject: known, step, outcome: { kind: 'put_off', cursor: null, until: 0 } }
  }
  const account = { connector, collection, environment, subject }
  const poll = step.kind === 'poll' ? runner.unchanged.begin(task, subject, startedAt) : undefined
  const outcome = await runStep(runner, account, step, poll)
  if (poll !== undefined && outcome.kind === 'held') runner.unchanged.keep(task, poll, startedAt)
  return { ...record, subject: known, step, outcome }
}

interface TaskAccount {
  connector: Connector
  collection: Collection
  environment: Environment
  subject: TaskSubject
}

async function runStep(
  runner: TaskRunner,
  account: TaskAccount,
  step: Step,
  poll: PollDigest | undefined,
): Promise<StepOutcome> {
  const { connector, collection, environment, subject } = account
  const { user_id: userId, provider } = subject
  const progress = { cursor: step.kind === 'record' ? null : step.cursor }
  const part = step.kind === 'record' ? step.record.id : step.range.from
  const stepKey = [environment.id, userId, provider, collection.name, part].join(' ')
  const answers = runner.interrupted.resume(stepKey)
  try {
    const person = { connector, environment, userId }
    const open = async () => answers.through(await openVendorSession(runner, runner, person))
    const source = { slug: connector.slug, collection, owner: { userId, provider } }
    const store = async (data: ArrivedData): Promise<void> => {
      if (!poll?.isKnown(data)) await storeData(runner, account, step, data)
    }
    if (step.kind === 'record') {
      await pullRecord(open, source, step.record, store)
      return { kind: 'held' }
    }
    if (collection.history === 'by_message') return await requestMessages(open, collection, step)
    const stored = { environmentId: environment.id, userId, provider }
    const complete = (seen: SeenRecords) =>
      removeMissing(runner, stored, collection, step.range, seen, store)
    const pageDone = () => answers.clear()
    const target = { store, complete, pageDone, signal: runner.signal }
    await pullRange(await open(), source, step.range, progress, target)
    return { kind: 'held' }
  } catch (error) {
    if (runner.signal.aborted) {
      return { kind: 'put_off', cursor: progress.cursor, until: runner.clock.now().getTime() }
    }
    if (error instanceof BudgetSpent) runner.interrupted.keep(stepKey, answers)
    const outcome = classifyFailure(error, progress.cursor)
    if (outcome?.kind === 'put_off') return { ...outcome, isBegun: answers.hasAny }
    if (outcome === undefined) {
      // When the database is unavailable, the connection is ended the next time.
      return endConnection(runner, account, error).catch((fault: unknown) =>
        contendedOutcome(fault, runner),
      )
    }
    if (outcome.kind === 'failed' && outcome.reason === 'unexpected_error') {
      const { name: collectionName } = collection
      const problem = appProblemOf(error)
      runner.log.warn(
        { err: error, provider, collection: collectionName, ...(problem && { problem }) },
        'a pull failed',
      )
    }
    return outcome
  }
}

/** Returns what of an app the vendor does not accept, such as an old version. */
function appProblemOf(error: unknown): string | undefined {
  const failure = error instanceof VendorError ? error.failure : undefined
  return failure?.kind === 'unexpected' ? failure.appProblem : undefined
}

/**
 * Stores data, waiting a while for an overloaded store, so that the data need not be pulled again.
 */
async function storeData(
  runner: TaskRunner,
  { environment, subject }: TaskAccount,
  { isHistory }: Step,
  data: ArrivedData,
): Promise<void> {
  const { ingest, config, signal } = runner
  const { user_id: id, client_user_id, ingestion_start, ingestion_end, provider } = subject
  for (let attempt = 1; ; attempt++) {
    try {
      await ingest.store({
        scope: createScope(runner, environment),
        user: { id, client_user_id, ingestion_start, ingestion_end },
        provider,
        baseUrl: config.baseUrl ?? `http://${config.host}:${config.port}`,
        isPublished: !isHistory || environment.settings.push_historical_data,
        ...data,
      })
      return
    } catch (error) {
      const isBusy = error instanceof AppError && error.status === 503
      if (!isBusy || attempt === STORE_TRIES || signal.aborted) throw error
      await sleep(STORE_RETRY_MS)
    }
  }
}

const MESSAGES: Readonly<Record<string, string>> = {
  token_refresh_failed: 'The provider no longer accepts the access that the user granted.',
  webhook_registration_failed: 'The provider refused to send notifications.',
  user_not_found: 'The provider no longer has the account.',
  deregistered_per_provider: 'The user ended the access at the provider.',
  required_scopes_not_granted: 'The user withdrew a required scope.',
  provider_credential_error: 'The provider no longer accepts the password.',
  provider_password_expired: 'The provider requires the user to change the password.',
  provider_consent_needed: 'The provider requires the user to agree to something in its app.',
}

/**
 * Returns the message of a connection's error (docs/contract/02-users.md#connectionerrordetails).
 */
export const describeConnectionError = (errorType: string): string =>
  MESSAGES[errorType] ?? 'The provider ended the access.'

function contendedOutcome(fault: unknown, { log }: TaskRunner): StepOutcome {
  log.warn({ err: fault }, 'a connection could not be ended yet')
  return { kind: 'failed', cursor: null, reason: 'resource_contention', quota: null, until: null }
}

async function endConnection(
  runner: TaskRunner,
  { environment, subject }: TaskAccount,
  error: unknown,
): Promise<StepOutcome> {
  const failure = (error as VendorError).failure
  const error_type = failure.kind === 'ended' ? failure.errorType : 'unknown'
  const user = { id: subject.user_id, client_user_id: subject.client_user_id }
  const { provider } = subject
  await createScope(runner, environment).transaction(async (tx) => {
    await failConnection(tx, user, provider, {
      error_type,
      error_message: describeConnectionError(error_type),
    })
    await stopPulling(tx, { userId: user.id, provider })
  })
  return { kind: 'parked' }
}

/** Vendors that send messages are polled rarely while they are subscribed. */
function presentPollMs(
  runner: TaskRunner,
  { environment_id: id, provider }: PullTaskRow,
  pollMs: number,
): number {
  const isPushed = findProvider(provider)?.mode === 'push' && runner.isSubscribed(id, provider)
  return isPushed ? Math.max(SAFETY_POLL_MS, pollMs) : pollMs
}
