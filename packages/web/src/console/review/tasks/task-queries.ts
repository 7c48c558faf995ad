import {
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import { endOfId } from '../../components/id.tsx'
import { useNameOfId } from '../../components/list/person-link.tsx'
import type { Task } from './task-words.ts'

const nameOfQueries = ({ key }: Environment) => [...key, 'tasks'] as const

/** Filters of the list, as the address has them; empty for none. */
export interface TaskFilters {
  kind: string
  /** `open`, or the status of tasks that have ended. */
  show: string
  owner: string
  /** Id of a person, or empty. */
  user: string
}

/** Returns the query of the list. */
export const taskQueryOf = ({ kind, show, owner, user }: TaskFilters) => ({
  ...(kind && { kind: kind as Task['kind'] }),
  ...(show !== 'open' && { status: show as Task['status'], order_by: 'opened_at' as const }),
  ...(owner && { is_assigned: owner === 'some' }),
  ...(user && { user_id: user }),
})

/** Loads tasks page by page, the most urgent first; those that have ended newest first. */
export function useTasks(filters: TaskFilters) {
  const environment = useEnvironment()
  return useInfiniteQuery({
    queryKey: [...nameOfQueries(environment), filters],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        environment.team.GET('/v3/task', {
          params: {
            query: {
              limit: 50,
              ...taskQueryOf(filters),
              ...(pageParam && { next_cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
    // Laboratories and other people change tasks while the page is open.
    refetchInterval: 30_000,
  })
}

/** Counts open tasks, for the navigation. */
export const taskCountQuery = (environment: Pick<Environment, 'key' | 'team'>) =>
  queryOptions({
    queryKey: [...environment.key, 'tasks', 'count'],
    queryFn: ({ signal }) => unwrapResponse(environment.team.GET('/v3/task/count', { signal })),
    refetchInterval: 120_000,
  })

/** Loads the critical values of a task's result; nothing for tasks of other kinds. */
export function useCriticalValues(task: Task) {
  const environment = useEnvironment()
  return useQuery({
    queryKey: [...nameOfQueries(environment), 'values', task.id],
    enabled: task.kind === 'critical_result',
    queryFn: ({ signal }) =>
      unwrapResponse(
        environment.team.GET('/v3/critical_result_task/{task_id}', {
          params: { path: { task_id: task.id } },
          signal,
        }),
      ),
  })
}

/** Returns the name of a task's person, or their id; undefined for a task without a person. */
export function usePersonName({ user_id: userId, client_user_id: ownId }: Task) {
  const name = useNameOfId(userId)
  return userId === null ? undefined : (name ?? ownId ?? endOfId(userId))
}

/** What a person does with a task. */
export type TaskCommand =
  | { action: 'receive' | 'acknowledge' | 'complete' | 'cancel'; name: string; note?: string }
  | { action: 'assign'; owner: string | null }

/** Sends a command; the list is loaded again, also after a refusal, which others caused. */
export function useTaskCommand() {
  const environment = useEnvironment()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ task, command }: { task: Task; command: TaskCommand }) => {
      const params = { path: { id: task.id } }
      const { team } = environment
      switch (command.action) {
        case 'assign': {
          const body = { owner: command.owner }
          return unwrapResponse(team.POST('/v3/task/{id}/assign', { params, body }))
        }
        case 'receive': {
          const body = { name: command.name }
          return unwrapResponse(team.POST('/v3/task/{id}/receive', { params, body }))
        }
        default: {
          const body = { name: command.name, note: command.note?.trim() || null }
          const path = `/v3/task/{id}/${command.action}` as const
          return unwrapResponse(team.POST(path, { params, body }))
        }
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: nameOfQueries(environment) }),
  })
}
