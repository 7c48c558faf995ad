import { z } from 'zod'
import { type CallSalus, SalusRefusal } from '../salus-call.ts'
import { defineTool } from './tool.ts'

interface FoundUser {
  user_id: string
  client_user_id: string
  created_on: string
  connections: { provider: { slug: string }; status: string }[]
}

interface Info {
  dob?: string | null
  gender?: string | null
}

/** Names and addresses are searched, but never returned: an assistant does not need them. */
const findPeople = defineTool({
  name: 'find_people',
  title: 'Find people',
  description:
    'Finds people of the team by parts of their client user id, name or e-mail address, or by a connection. Returns ids and connections, never names. Without a query it lists everyone.',
  isAboutPerson: false,
  input: {
    query: z.string().max(200).optional(),
    provider: z.string().max(100).optional().describe('Slug of a provider, such as oura.'),
    connection_status: z.enum(['connected', 'error', 'paused']).optional(),
    limit: z.int().min(1).max(50).default(10),
  },
  answer: async (call, { query, provider, connection_status, limit }) => {
    const body = { query, provider, connection_status, limit }
    const found = (await call({ method: 'POST', path: '/v2/user/search', body })) as {
      users: FoundUser[]
      total: number
    }
    const people = found.users.map(({ user_id, client_user_id, created_on, connections }) => ({
      user_id,
      client_user_id,
      created_on,
      connections: connections.map(({ provider: { slug }, status }) => ({
        provider: slug,
        status,
      })),
    }))
    return { people, total: found.total }
  },
})

const getPerson = defineTool({
  name: 'get_person',
  title: 'Overview of a person',
  description:
    'Returns an overview of a person: age and gender, time zone, connections and their state, the oldest and newest data of each resource, the newest orders. Call it first.',
  isAboutPerson: true,
  input: {},
  answer: async (call, { user_id: userId }) => {
    const get = <T>(path: string, query = {}) => call({ method: 'GET', path, query }) as Promise<T>
    const [user, { providers }, info, resources, orders] = await Promise.all([
      get<Record<string, unknown>>(`/v2/user/${userId}`),
      get<{ providers: Record<string, unknown>[] }>(`/v2/user/providers/${userId}`),
      findInfo(call, userId),
      get<{ data: { provider: unknown }[] }>('/v2/introspect/resources', { user_id: userId }),
      get<{ orders: ListedOrder[]; total: number }>('/v3/orders', { user_id: userId, size: 5 }),
    ])
    return {
      user_id: user.user_id,
      client_user_id: user.client_user_id,
      created_on: user.created_on,
      fallback_time_zone: user.fallback_time_zone,
      gender: info?.gender,
      age_years: info?.dob ? ageOn(new Date(), info.dob) : undefined,
      connections: providers.map(({ slug, status, created_on, error_details }) => ({
        provider: slug,
        status,
        created_on,
        error_details,
      })),
      data: resources.data[0]?.provider ?? {},
      orders: { total: orders.total, newest: orders.orders.map(toListedOrder) },
    }
  },
})

const getCoverage = defineTool({
  name: 'get_coverage',
  title: 'Available data',
  description:
    'Returns the resources of each provider that Salus stores for a person, their range of time, the progress of historical pulls, and the number of quarantined items, with the reasons.',
  isAboutPerson: true,
  input: {},
  answer: async (call, { user_id: userId }) => {
    const query = { user_id: userId }
    const get = <T>(path: string, query = {}) => call({ method: 'GET', path, query }) as Promise<T>
    type Lists = { data: { provider: unknown }[] }
    const [resources, pulls, quarantined] = await Promise.all([
      get<Lists>('/v2/introspect/resources', query),
      get<Lists>('/v2/introspect/historical_pull', query),
      get<Record<string, unknown>>(`/v2/user/${userId}/put_aside`),
    ])
    return {
      resources: resources.data[0]?.provider ?? {},
      history: pulls.data[0]?.provider ?? {},
      quarantined,
    }
  },
})

const explainMissingEvent = defineTool({
  name: 'explain_missing_event',
  title: 'Missing event',
  description:
    'Explains why a webhook event about a person is missing: what prevents it from being written (no connection, no data, an order that waits) or delivered (no webhook, another subscription, disabled), and returns the last such event.',
  isAboutPerson: true,
  input: {
    event_type: z
      .string()
      .max(100)
      .describe('Exact type of the event, such as daily.data.sleep.created.'),
  },
  answer: (call, { user_id, event_type }) =>
    call({ method: 'GET', path: `/v2/user/${user_id}/event_explanation`, query: { event_type } }),
})

export interface ListedOrder {
  id: string
  created_at: string
  lab_test: { name: string; method: string; lab?: { name?: string } | null }
  last_event?: { status: string; created_at: string } | null
  interpretation?: string | null
}

/** Returns an order without names and addresses. */
export function toListedOrder({
  id,
  created_at,
  lab_test,
  last_event,
  interpretation,
}: ListedOrder) {
  return {
    order_id: id,
    created_at,
    lab_test: lab_test.name,
    method: lab_test.method,
    laboratory: lab_test.lab?.name,
    status: last_event?.status,
    status_since: last_event?.created_at,
    interpretation,
  }
}

/** Returns the demographics; undefined for a person without any. */
async function findInfo(call: CallSalus, userId: string): Promise<Info | undefined> {
  try {
    return (await call({ method: 'GET', path: `/v2/user/${userId}/info/latest` })) as Info
  } catch (error) {
    if (error instanceof SalusRefusal && error.status === 404) return undefined
    throw error
  }
}

function ageOn(day: Date, born: string): number {
  const [year = 0, month = 0, date = 0] = born.split('-').map(Number)
  const hadBirthday =
    day.getUTCMonth() + 1 > month || (day.getUTCMonth() + 1 === month && day.getUTCDate() >= date)
  return day.getUTCFullYear() - year - (hadBirthday ? 0 : 1)
}

export const PEOPLE_TOOLS = [findPeople, getPerson, getCoverage, explainMissingEvent]
