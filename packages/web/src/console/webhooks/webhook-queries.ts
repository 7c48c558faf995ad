import { queryOptions, useQuery } from '@tanstack/react-query'
import { management, unwrapResponse } from '../api/client.ts'
import { type Environment, useEnvironment } from '../api/environment.ts'
import type { components } from '../api/openapi.generated.d.ts'

type Schemas = components['schemas']
export type Webhook = Schemas['Webhook']
export type WebhookStatus = Schemas['WebhookStatus']
export type EventSummary = Schemas['EventSummary']
export type EventDetail = Schemas['EventDetail']
export type Attempt = Schemas['WebhookAttempt']
export type Delivery = Schemas['WebhookDelivery']
export type EventType = Schemas['EventTypeList']['data'][number]

/** Interval of reloading figures of endpoints, in milliseconds. */
const STATUS_MS = 10_000

/** Loads all endpoints: an environment has only a few. */
export const webhooksQuery = ({ key, path }: Environment) =>
  queryOptions({
    queryKey: [...key, 'webhooks'],
    queryFn: async ({ signal }): Promise<Webhook[]> => {
      const all: Webhook[] = []
      for (let next_cursor: string | undefined; ; ) {
        const page = await unwrapResponse(
          management.GET('/v1/org/{org_id}/team/{team_id}/{env}/webhook', {
            params: { path, query: { limit: 250, ...(next_cursor && { next_cursor }) } },
            signal,
          }),
        )
        all.push(...page.data)
        if (page.next_cursor === null) return all
        next_cursor = page.next_cursor
      }
    },
  })

/** Loads the figures of each endpoint, by its id. */
export const webhookStatusQuery = ({ key, path }: Environment) =>
  queryOptions({
    queryKey: [...key, 'webhook status'],
    queryFn: async ({ signal }) => {
      const { data } = await unwrapResponse(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/webhook_status', {
          params: { path },
          signal,
        }),
      )
      return new Map(data.map((status) => [status.webhook_id, status]))
    },
    refetchInterval: STATUS_MS,
  })

/** Loads the event types; they are large, and the same for every environment. */
export const eventTypesQuery = ({ path }: Environment) =>
  queryOptions({
    queryKey: ['event types'],
    queryFn: async ({ signal }): Promise<EventType[]> => {
      const answer = await unwrapResponse(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/event_type', {
          params: { path },
          signal,
        }),
      )
      return answer.data
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Returns the endpoints by id; undefined while they are loading. */
export function useWebhooksById(): ReadonlyMap<string, Webhook> | undefined {
  const { data } = useQuery(webhooksQuery(useEnvironment()))
  return data && new Map(data.map((webhook) => [webhook.id, webhook]))
}
