import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { unwrapResponse } from '../api/client.ts'
import { useEnvironment } from '../api/environment.ts'
import type { components } from '../api/openapi.generated.d.ts'
import type { Condition, RuleEpisode } from './rule-words.ts'

type RuleCreate = components['schemas']['RuleCreate']
type RuleUpdate = components['schemas']['RuleUpdate']

/** Loads the rules of the environment, page by page. */
export function useRules() {
  const { key, team } = useEnvironment()
  return useInfiniteQuery({
    queryKey: [...key, 'rules'],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        team.GET('/v3/rule', {
          params: { query: pageParam === '' ? {} : { next_cursor: pageParam } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
  })
}

/** Loads rules to begin with. They change only with versions of the server. */
export function useTemplates() {
  const { key, team } = useEnvironment()
  const { data } = useQuery({
    queryKey: [...key, 'rule-templates'],
    queryFn: ({ signal }) => unwrapResponse(team.GET('/v3/rule/template', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data?.data
}

/** Loads episodes of a rule, newest first. */
export function useEpisodes(ruleId: string, status: RuleEpisode['status'] | '') {
  const { key, team } = useEnvironment()
  return useInfiniteQuery({
    queryKey: [...key, 'rules', ruleId, 'episodes', status],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        team.GET('/v3/rule_episode', {
          params: {
            query: {
              rule_id: ruleId,
              ...(status && { status }),
              ...(pageParam && { next_cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
    refetchInterval: 60_000,
  })
}

/** Loads the episode that a task is about; nothing for tasks of other kinds. */
export function useEpisode(episodeId: string | undefined) {
  const { key, team } = useEnvironment()
  return useQuery({
    queryKey: [...key, 'rule-episode', episodeId],
    enabled: episodeId !== undefined,
    queryFn: ({ signal }) =>
      unwrapResponse(
        team.GET('/v3/rule_episode/{episode_id}', {
          params: { path: { episode_id: episodeId ?? '' } },
          signal,
        }),
      ),
  })
}

/** Creates, changes and deletes rules; the list is loaded again. */
export function useRuleCommands() {
  const { key, team } = useEnvironment()
  const queryClient = useQueryClient()
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: [...key, 'rules'] })
  const create = useMutation({
    mutationFn: (body: RuleCreate) => unwrapResponse(team.POST('/v3/rule', { body })),
    onSuccess,
  })
  const update = useMutation({
    mutationFn: ({ id, body }: { id: string; body: RuleUpdate }) =>
      unwrapResponse(team.PATCH('/v3/rule/{rule_id}', { params: { path: { rule_id: id } }, body })),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (id: string) =>
      unwrapResponse(team.DELETE('/v3/rule/{rule_id}', { params: { path: { rule_id: id } } })),
    onSuccess,
  })
  return { create, update, remove }
}

/** Judges the last days, for a user or the first users of the environment. */
export function usePreview() {
  const { team } = useEnvironment()
  return useMutation({
    mutationFn: (asked: { condition: Condition; days: number; userId: string }) =>
      unwrapResponse(
        team.POST('/v3/rule/preview', {
          body: {
            condition: asked.condition,
            days: asked.days,
            user_id: asked.userId === '' ? null : asked.userId,
          },
        }),
      ),
  })
}
