import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { management, unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { HeldResult } from './matching-words.ts'

/** Begins the names of all queries about held results of an environment. */
const nameOf = ({ key }: Environment) => [...key, 'unmatched'] as const

export interface HeldFilter {
  status: 'pending_customer_review' | 'pending_ops_review' | 'resolved'
  reason: string
}

const nextOf = ({ next_cursor: cursor }: { next_cursor: string | null }) => cursor ?? undefined

/** Loads the held results of the team. */
export const heldListQuery = (environment: Environment, { status, reason }: HeldFilter) =>
  infiniteQueryOptions({
    queryKey: [...nameOf(environment), 'list', status, reason],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        environment.team.GET('/v3/unmatched_result', {
          params: {
            query: {
              status,
              limit: 50,
              ...(reason && { decision_code: reason as HeldResult['decision_code'] }),
              ...(pageParam && { next_cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: nextOf,
  })

/** Loads the results with the operator, also those that the team cannot see. */
export const operatorListQuery = (environment: Environment) =>
  infiniteQueryOptions({
    queryKey: [...nameOf(environment), 'operator'],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/unmatched_result', {
          params: {
            path: environment.path,
            query: { limit: 50, ...(pageParam && { next_cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: nextOf,
  })

export const heldQuery = (environment: Environment, id: string) =>
  queryOptions({
    queryKey: [...nameOf(environment), 'one', id],
    queryFn: ({ signal }) =>
      unwrapResponse(
        environment.team.GET('/v3/unmatched_result/{raw_result_id}', {
          params: { path: { raw_result_id: id } },
          signal,
        }),
      ),
  })

/** Loads an order that the result may belong to. */
export const candidateOrderQuery = (environment: Environment, id: string) =>
  queryOptions({
    queryKey: [...environment.key, 'order', id],
    queryFn: ({ signal }) =>
      unwrapResponse(
        environment.team.GET('/v3/order/{order_id}', {
          params: { path: { order_id: id } },
          signal,
        }),
      ),
  })

export type Decision =
  | { kind: 'accept'; orderId?: string; userId?: string; note: string }
  | { kind: 'reject' | 'unsure'; note: string }
  | { kind: 'undo' | 'hand_over' }

/** Decides about a held result, or undoes a decision. */
export function useResultDecision(id: string, onDone?: () => void) {
  const environment = useEnvironment()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (decision: Decision) => decide(environment, id, decision),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: nameOf(environment) })
      queryClient.invalidateQueries({ queryKey: [...environment.key, 'order'] })
      onDone?.()
    },
  })
}

async function decide(
  { team, path }: Environment,
  id: string,
  decision: Decision,
): Promise<unknown> {
  const params = { path: { raw_result_id: id } }
  switch (decision.kind) {
    case 'accept': {
      const { orderId, userId, note } = decision
      const body = {
        ...(orderId && { order_id: orderId }),
        ...(userId && { user_id: userId }),
        note: note.trim() || null,
      }
      return unwrapResponse(
        team.POST('/v3/unmatched_result/{raw_result_id}/accept', { params, body }),
      )
    }
    case 'undo':
      return unwrapResponse(team.POST('/v3/unmatched_result/{raw_result_id}/undo', { params }))
    case 'hand_over':
      return unwrapResponse(
        management.POST('/v1/org/{org_id}/team/{team_id}/{env}/unmatched_result/{id}/hand_over', {
          params: { path: { ...path, id } },
        }),
      )
    default: {
      const body = { action: decision.kind, note: decision.note.trim() || null }
      return unwrapResponse(
        team.POST('/v3/unmatched_result/{raw_result_id}/resolve', { params, body }),
      )
    }
  }
}
