import { findEnvironment } from '@salus/accounts/teams'
import { type EventEnvironment, newEvent, toRow } from '@salus/kernel/events/events'
import { insertEvents } from '@salus/kernel/events/outbox'
import type { Db } from '@salus/kernel/postgres/database'
import { dispatchEvents } from '../../src/webhooks/delivery/delivery.global.repository.ts'
import { EVENT_CATALOG } from '../../src/webhooks/event-catalog/index.ts'
import type { Webhook } from '../../src/webhooks/webhooks.schema.ts'
import { type Answer, createHarness, type Harness } from '../harness.ts'

/** Creates a harness that may send webhooks to receivers of the test itself. */
export const createWebhookHarness = (): Promise<Harness> =>
  createHarness({ webhooksAllowHttp: true, webhooksAllowPrivate: true })

export interface EventFields {
  type?: string
  userId?: string | null
  data?: object
  /** Records that it is about. */
  subjectIds?: string[]
  onlyEndpointId?: string
  exceptEndpointId?: string
  /** A transaction to write it in. */
  db?: Db
}

/** One environment of a team with a client for its management paths. */
export interface WebhookEnvironment {
  environmentId: string
  /** Its address, without a slash at the end. */
  base: string
  /** Calls a path of it, with the org_admin key or another one. */
  call(method: string, path: string, body?: unknown, key?: string): Promise<Answer>
  /** As `call`, for what must succeed; returns the body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  succeed(method: string, path: string, body?: unknown): Promise<any>
  makeWebhook(fields?: object): Promise<Webhook>
  /** Writes an event and returns its id; nothing is dispatched by it. */
  raise(fields?: EventFields): Promise<string>
  /** Chooses endpoints for what waits, without sending anything. */
  dispatch(): Promise<void>
}

export const STEPS = 'daily.data.steps.created'
export const HEARTRATE = 'daily.data.heartrate.created'
export const ANY_URL = 'https://hooks.example.com/salus'
/** Refused at once, so that what is sent by the way asks no name server. */
const URL_OF_NOBODY = 'http://127.0.0.1:1/'

/** The sandbox of the first team, unless another environment is named. */
export async function openEnvironment(
  salus: Harness,
  { teamId = salus.teamId, env = 'sandbox' } = {},
): Promise<WebhookEnvironment> {
  const { db, pool } = salus.database
  const url = salus.config.webhooksAllowPrivate ? URL_OF_NOBODY : ANY_URL
  const base = `/v1/org/${salus.organizationId}/team/${teamId}/${env}`
  const { rows } = await pool.query(
    'select id from team_environments where team_id = $1 and environment = $2',
    [teamId, env],
  )
  const environmentId: string = rows[0].id
  const environment: WebhookEnvironment = {
    environmentId,
    base,
    call(method, path, body, key = salus.managementKey) {
      return salus.call(method, `${base}${path}`, body, { 'x-management-key': key })
    },
    async succeed(method, path, body) {
      const answer = await environment.call(method, path, body)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
      return answer.body
    },
    makeWebhook: (fields = {}) => environment.succeed('POST', '/webhook', { url, ...fields }),
    async raise({ type = STEPS, userId = null, data = {}, db: within = db, ...endpoints } = {}) {
      const scope = (await findEnvironment(db, environmentId)) as EventEnvironment
      const user = userId === null ? null : { id: userId, client_user_id: 'theirs' }
      const event = newEvent({ type: eventType(type), user, data, ...endpoints })
      const row = toRow(scope, event, salus.clock.now())
      await insertEvents(within, [row])
      return row.id
    },
    async dispatch() {
      await dispatchEvents(db, salus.clock.now(), 10_000)
    },
  }
  return environment
}

function eventType(name: string) {
  const found = EVENT_CATALOG.find((type) => type.name === name)
  if (found === undefined) throw new Error(`There is no event type ${name}.`)
  return found
}

/** Another environment that shares nothing with those of other tests. */
export async function openNewEnvironment(salus: Harness): Promise<WebhookEnvironment> {
  const { id } = await salus.makeTeam()
  return openEnvironment(salus, { teamId: id })
}
