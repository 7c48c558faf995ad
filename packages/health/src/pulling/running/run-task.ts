import { setTimeout as sleep } from 'node:timers/promises'
import { findProvider } from '@salus/contracts/providers'
import { HOUR_MS } from '@salus/contracts/time-units'
import { AppError } from '@salus/kernel/errors'
import { createScope, type Environment } from '@salus/kernel/scope'
import { failConnection } from '../../connections/index.ts'
import type { Collection, Connector, VendorError } from '../../connectors/index.ts'
import type { ArrivedData } from '../../ingest/index.ts'
import type { Budgets } from '../access/budgets.ts'
import type { TokenKeeper } from '../access/token-keeper.ts'
import { openVendorSession } from '../access/vendor-session.ts'
import type { PullTaskRow, TaskSubject } from '../pull-tasks.global.repository.ts'
import { stopPulling } from '../pull-tasks.repository.ts'
import type { PullingContext } from '../pulling-context.ts'
import { judgeFailure } from './judge-failure.ts'
import { chooseStep, POLL_MS, type Step } from './next-step.ts'
import type { PullRecord } from './outcome-recorder.ts'
import { pullRange } from './pull-range.ts'
import type { StepOutcome, Timing } from './settle-task.ts'

/** What tasks are worked on with. */
export interface TaskRunner extends PullingContext {
  budgets: Budgets
  tokens: TokenKeeper
  /** Ends when the process has to. */
  signal: AbortSignal
  random: () => number
  /** Whether a vendor sends messages about an environment's people. */
  isSubscribed: (environmentId: string, provider: string) => boolean
}

/** A claimed task with what is known of its connection. */
export interface ClaimedTask {
  task: PullTaskRow
  /** undefined: the connection or the person is gone. */
  subject: TaskSubject | undefined
  /** undefined: the team is gone. */
  environment: Environment | undefined
}

/** Of vendors that tell by themselves what is new; a message may get lost. */
const SAFETY_POLL_MS = 6 * HOUR_MS
const STORE_TRIES = 20
const STORE_RETRY_MS = 250

/** Does one step of a task. Never throws: what went wrong is the outcome. */
export async function runTask(
  runner: TaskRunner,
  { task, subject, environment }: ClaimedTask,
): Promise<PullRecord> {
  const startedAt = runner.clock.now().getTime()
  const timing: Timing = { pollMs: pollMsOf(runner, task), random: runner.random }
  const record = { task, startedAt, timing }
  const connector = runner.connectors.find(task.provider)
  const collection = connector?.collections.find(({ name }) => name === task.collection)
  const isLive = subject?.status === 'connected' && environment !== undefined
  if (connector === undefined || collection === undefined || !isLive) {
    return { ...record, subject: undefined, step: undefined, outcome: { kind: 'parked' } }
  }
  const known = { connector, collection, clientUserId: subject.client_user_id }
  const step = chooseStep(task, collection, startedAt)
  // Claimed a moment too early, or made due by what is done already.
  if (step === undefined) {
    return { ...record, subject: known, step, outcome: { kind: 'put_off', cursor: null, until: 0 } }
  }
  const account = { connector, collection, environment, subject }
  const outcome = await runStep(runner, account, step)
  return { ...record, subject: known, step, outcome }
}

interface TaskAccount {
  connector: Connector
  collection: Collection
  environment: Environment
  subject: TaskSubject
}

async function runStep(runner: TaskRunner, account: TaskAccount, step: Step): Promise<StepOutcome> {
  const { connector, collection, environment, subject } = account
  const { user_id: userId, provider } = subject
  const progress = { cursor: step.cursor }
  try {
    const person = { connector, environment, userId }
    const ask = await openVendorSession(runner, runner, person)
    const source = { slug: connector.slug, collection, owner: { userId, provider } }
    const store = (data: ArrivedData) => storeData(runner, account, step, data)
    await pullRange(ask, source, step.range, progress, { store, signal: runner.signal })
    return { kind: 'held' }
  } catch (error) {
    if (runner.signal.aborted) {
      return { kind: 'put_off', cursor: progress.cursor, until: runner.clock.now().getTime() }
    }
    const outcome = judgeFailure(error, progress.cursor)
    if (outcome === undefined) {
      // A database that is away does not keep the connection from ending the next time.
      return endConnection(runner, account, error).catch((fault: unknown) =>
        contended(fault, runner),
      )
    }
    if (outcome.kind === 'failed' && outcome.reason === 'unexpected_error') {
      const { name: collectionName } = collection
      runner.log.warn({ err: error, provider, collection: collectionName }, 'a pull went wrong')
    }
    return outcome
  }
}

/**
 * Waits a while for a store that has too much to do: what is here already need not be asked for
 * again.
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
  token_refresh_failed: 'The provider does not take the access any more.',
  webhook_registration_failed: 'The provider refused to send messages.',
  user_not_found: 'The provider does not know the account any more.',
  deregistered_per_provider: 'The person ended the access at the provider.',
  required_scopes_not_granted: 'The person withdrew a scope that is required.',
  provider_credential_error: 'The provider does not take the password any more.',
  provider_password_expired: 'The provider wants the person to change the password.',
}

/**
 * The words that go with an error of a connection
 * (docs/contract/02-users.md#connectionerrordetails).
 */
export const describeEnd = (errorType: string): string =>
  MESSAGES[errorType] ?? 'The provider ended the access.'

function contended(fault: unknown, { log }: TaskRunner): StepOutcome {
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
    await failConnection(tx, user, provider, { error_type, error_message: describeEnd(error_type) })
    await stopPulling(tx, { userId: user.id, provider })
  })
  return { kind: 'parked' }
}

/** Vendors that only send messages are asked seldom, once they do send them. */
function pollMsOf(runner: TaskRunner, { environment_id: id, provider }: PullTaskRow): number {
  const isPushed = findProvider(provider)?.mode === 'push' && runner.isSubscribed(id, provider)
  return isPushed ? SAFETY_POLL_MS : POLL_MS
}
