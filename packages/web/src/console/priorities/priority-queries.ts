import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { unwrapResponse } from '../api/client.ts'
import type { Environment } from '../api/environment.ts'
import type { components } from '../api/openapi.generated.d.ts'

export type Preview = components['schemas']['SourcePriorityPreview']
export type PreviewInput = components['schemas']['SourcePriorityPreviewInput']

/** Loads the priorities of the team, those that are 0 too. */
export const teamPrioritiesQuery = ({ key, team }: Environment) =>
  queryOptions({
    queryKey: [...key, 'priorities'],
    queryFn: ({ signal }) => unwrapResponse(team.GET('/v2/team/source/priorities', { signal })),
  })

/** Loads the rules of a person. */
export const personPrioritiesQuery = ({ key, team }: Environment, userId: string) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'priorities'],
    queryFn: async ({ signal }) => {
      const params = { path: { user_id: userId } }
      const request = team.GET('/v2/user/{user_id}/source_priorities', { params, signal })
      return (await unwrapResponse(request)).source_priorities
    },
  })

/** Computes a day of a person by the stored priorities and by proposed ones. Stores nothing. */
export const previewQuery = (
  { key, team }: Environment,
  userId: string,
  body: PreviewInput | undefined,
) =>
  queryOptions({
    queryKey: [...key, 'person', userId, 'priority-preview', body],
    queryFn: ({ signal }) => {
      const params = { path: { user_id: userId } }
      const request = { params, body: body as PreviewInput, signal }
      return unwrapResponse(team.POST('/v2/user/{user_id}/source_priorities/preview', request))
    },
    enabled: userId !== '' && body !== undefined,
    placeholderData: keepPreviousData,
  })
