import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { management, unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'

export type LabConnection = components['schemas']['LabConnection']
export type Outgoing = components['schemas']['OutgoingLabMessage']
export type Received = components['schemas']['ReceivedLabMessage']

const LIST = '/v1/org/{org_id}/team/{team_id}/{env}/lab_connection'
const ONE = `${LIST}/{connection}` as const
const REFRESH_MS = 15_000

const nameOf = ({ key }: Environment) => [...key, 'lab connections'] as const

/** Loads the connections of the environment; their queues change by themselves. */
export function useConnections() {
  const environment = useEnvironment()
  return useQuery({
    queryKey: nameOf(environment),
    queryFn: ({ signal }) =>
      unwrapResponse(management.GET(LIST, { params: { path: environment.path }, signal })),
    refetchInterval: REFRESH_MS,
  })
}

/** Loads the messages of a connection in one direction, page by page. */
export function useMessages(connection: string, direction: 'message' | 'received', state?: string) {
  const environment = useEnvironment()
  return useInfiniteQuery({
    queryKey: [...nameOf(environment), connection, direction, state],
    queryFn: async ({ pageParam, signal }) => {
      const path = { ...environment.path, connection }
      const query = { limit: 50, ...(pageParam && { next_cursor: pageParam }) }
      if (direction === 'message') {
        const page = management.GET(`${ONE}/message`, { params: { path, query }, signal })
        return unwrapResponse(page) as Promise<MessagePage>
      }
      const failed = state === 'failed' && { state: 'failed' as const }
      const params = { path, query: { ...query, ...failed } }
      const page = management.GET(`${ONE}/received`, { params, signal })
      return unwrapResponse(page) as Promise<MessagePage>
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
    refetchInterval: REFRESH_MS,
  })
}

interface MessagePage {
  data: (Outgoing | Received)[]
  next_cursor: string | null
}

/** Loads one message with its fields by name. The audit log records it. */
export function useMessage(connection: string, direction: 'message' | 'received', id: string) {
  const environment = useEnvironment()
  return useQuery({
    queryKey: [...nameOf(environment), connection, direction, 'content', id],
    queryFn: async ({ signal }) => {
      const params = { path: { ...environment.path, connection, message_id: id } }
      if (direction === 'received') {
        const found = await unwrapResponse(
          management.GET(`${ONE}/received/{message_id}`, { params, signal }),
        )
        return { ...found, answer_segments: null }
      }
      const found = await unwrapResponse(
        management.GET(`${ONE}/message/{message_id}`, { params, signal }),
      )
      return { ...found, message: null, problem_location: found.answer_location }
    },
  })
}

/** Holds, releases, resends or retries, and loads the connections again. */
export function useConnectionCommand(connection: string) {
  const environment = useEnvironment()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ name, id = '' }: { name: Command; id?: string }) => {
      const path = { ...environment.path, connection, message_id: id }
      const params = { path }
      if (name === 'hold') return unwrapResponse(management.POST(`${ONE}/hold`, { params }))
      if (name === 'release') return unwrapResponse(management.POST(`${ONE}/release`, { params }))
      if (name === 'resend') {
        return unwrapResponse(management.POST(`${ONE}/message/{message_id}/resend`, { params }))
      }
      return unwrapResponse(
        management.POST('/v1/org/{org_id}/team/{team_id}/{env}/lab_message/{message_id}/retry', {
          params,
        }),
      )
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: nameOf(environment) }),
  })
}

type Command = 'hold' | 'release' | 'resend' | 'retry'
