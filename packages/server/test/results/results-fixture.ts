import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findEnvironment } from '@salus/accounts/teams'
import { unpackBody } from '@salus/kernel/events/event-body'
import type { Log } from '@salus/kernel/log'
import { createScope, type Environment, type Stores } from '@salus/kernel/scope'
import {
  inResultTransaction,
  RESULT_FILES,
  type ReceivedMessage,
  type ReceptionOutcome,
  type ResultsScope,
  receiveResultMessage,
} from '@salus/lab/results'
import { type Answer, createHarness, type Harness } from '../harness.ts'

/** A line of the log of the results. */
export interface LogLine {
  data: object
  message: string
}

export interface ToldEvent {
  type: string
  userId: string | null
  data: Answer['body']
}

/** Orders and results of the sandbox of a harness's team. */
export interface ResultsFixture
  extends Pick<
    Harness,
    | 'app'
    | 'database'
    | 'dependencies'
    | 'clock'
    | 'files'
    | 'apiKey'
    | 'organizationId'
    | 'teamId'
    | 'call'
    | 'manage'
    | 'makeTeam'
    | 'startJobs'
    | 'close'
  > {
  log: LogLine[]
  productionKey: string
  environmentId: string
  /** Changes settings of the sandbox. */
  set(settings: object): Promise<void>
  makeUser(): Promise<string>
  environment(): Promise<Environment>
  context(): Promise<ResultsScope>
  /** Takes a report as the inbox does. */
  take(report: Omit<ReceivedMessage, 'messageId' | 'at'>): Promise<ReceptionOutcome>
  /** Events about laboratory tests, in order of writing. */
  events(type?: RegExp): Promise<ToldEvent[]>
  /** Names of the stored PDFs. */
  fileNames(): string[]
}

export async function createResultsFixture(): Promise<ResultsFixture> {
  const harness = await createHarness({ sandboxUserLimit: 0 })
  const { database, clock, files, teamId, manage } = harness
  const { db, pool } = database
  const log: LogLine[] = []
  const record = (data: object, message: string) => void log.push({ data, message })
  const { rows } = await pool.query(
    "select id from team_environments where team_id = $1 and environment = 'sandbox'",
    [teamId],
  )
  const environmentId: string = rows[0].id
  const environment = async (): Promise<Environment> => {
    const found = await findEnvironment(db, environmentId)
    if (found === undefined) throw new Error('The environment is gone.')
    return found
  }
  const stores: Stores = {
    db,
    clock,
    clickhouse: harness.clickhouse,
    log: { debug: record, info: record, warn: record, error: record } as Log,
  }
  const context = async (): Promise<ResultsScope> => ({
    ...createScope(stores, await environment()),
    files,
  })
  const production = await manage('POST', '/team_api_keys/production/us', {
    label: 'Production',
    team_id: teamId,
  })

  return {
    ...harness,
    log,
    productionKey: production.body.value,
    environmentId,
    environment,
    context,
    async set(sandbox) {
      const answer = await manage('PATCH', `/team/${teamId}`, { sandbox })
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    },
    makeUser: () => harness.makeUser(),
    async take(taken) {
      const working = await context()
      return inResultTransaction(working, (tx) =>
        receiveResultMessage(tx, { ...taken, messageId: randomUUID(), at: clock.now() }),
      )
    },
    async events(type = /^labtest\./) {
      const { rows: found } = await pool.query(
        'select event_type, user_id, body from events order by sequence',
      )
      return found
        .filter(({ event_type: name }) => type.test(name))
        .map(({ event_type: name, user_id: userId, body }) => ({
          type: name,
          userId,
          data: JSON.parse(unpackBody(body).toString()).data,
        }))
    },
    fileNames() {
      try {
        return readdirSync(join(harness.config.dataDirectory, 'files', RESULT_FILES)).sort()
      } catch {
        return []
      }
    },
  }
}
