import { queryOptions, useQuery } from '@tanstack/react-query'
import { management, take } from '../api/client.ts'
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

/** Figures of endpoints are asked for again so often while one looks at them. */
const STATUS_MS = 10_000

/** Every endpoint, some at most: an environment has a handful. */
export const webhooksQuery = ({ key, path }: Environment) =>
  queryOptions({
    queryKey: [...key, 'webhooks'],
    queryFn: async ({ signal }): Promise<Webhook[]> => {
      const all: Webhook[] = []
      for (let next_cursor: string | undefined; ; ) {
        const page = await take(
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

/** How each endpoint does, by its id. */
export const webhookStatusQuery = ({ key, path }: Environment) =>
  queryOptions({
    queryKey: [...key, 'webhook status'],
    queryFn: async ({ signal }) => {
      const { data } = await take(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/webhook_status', {
          params: { path },
          signal,
        }),
      )
      return new Map(data.map((status) => [status.webhook_id, status]))
    },
    refetchInterval: STATUS_MS,
  })

/** The event types that can come; the same for every environment, and large. */
export const eventTypesQuery = ({ path }: Environment) =>
  queryOptions({
    queryKey: ['event types'],
    queryFn: async ({ signal }): Promise<EventType[]> => {
      const answer = await take(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/event_type', {
          params: { path },
          signal,
        }),
      )
      return answer.data
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The endpoints by their ids, for what names one; undefined while they are waited for. */
export function useWebhooksById(): ReadonlyMap<string, Webhook> | undefined {
  const { data } = useQuery(webhooksQuery(useEnvironment()))
  return data && new Map(data.map((webhook) => [webhook.id, webhook]))
}
