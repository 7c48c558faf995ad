import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { unwrapResponse } from '../../../api/client.ts'
import { type Environment, useEnvironment } from '../../../api/environment.ts'
import type { components } from '../../../api/openapi.generated.d.ts'
import type { TimelineKind } from './timeline-words.ts'

export type NoteVersion = components['schemas']['NoteVersion']

export interface TimelineFilter {
  query: string
  /** Empty for all kinds. */
  kinds: readonly TimelineKind[]
}

const AT_ONCE = 50

const keyOf = ({ key }: Environment, userId: string) => [...key, 'person', userId, 'timeline']

/** Loads everything about a person, newest first, page by page. */
export const timelineQuery = (
  environment: Environment,
  userId: string,
  { query, kinds }: TimelineFilter,
) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(environment, userId), query, kinds],
    queryFn: ({ pageParam, signal }) => {
      const params = { path: { user_id: userId } }
      const body = {
        query,
        limit: AT_ONCE,
        next_cursor: pageParam,
        ...(kinds.length > 0 && { kinds: [...kinds] }),
      }
      return unwrapResponse(
        environment.team.POST('/v2/user/{user_id}/timeline', { params, body, signal }),
      )
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })

/** Loads all versions of a note, newest first. */
export async function readVersions(
  { team }: Environment,
  userId: string,
  noteId: string,
): Promise<NoteVersion[]> {
  const params = { path: { user_id: userId, note_id: noteId } }
  const answer = team.GET('/v2/user/{user_id}/note/{note_id}/version', { params })
  return (await unwrapResponse(answer)).data
}

/** A new note, a changed one, or one that is withdrawn, without a text. */
export interface NoteChange {
  name: string
  text?: string
  note?: { id: string; version: number }
}

/** Writes, changes or withdraws a note. */
export function useNoteChange(userId: string) {
  const environment = useEnvironment()
  const queryClient = useQueryClient()
  const { team } = environment
  return useMutation({
    mutationFn: ({ name, text, note }: NoteChange) => {
      const path = { user_id: userId, note_id: note?.id ?? '' }
      if (note === undefined) {
        const body = { name, text: text ?? '' }
        return unwrapResponse(team.POST('/v2/user/{user_id}/note', { params: { path }, body }))
      }
      const { version } = note
      if (text !== undefined) {
        const body = { name, text, version }
        const address = '/v2/user/{user_id}/note/{note_id}'
        return unwrapResponse(team.PATCH(address, { params: { path }, body }))
      }
      const address = '/v2/user/{user_id}/note/{note_id}/entered_in_error'
      return unwrapResponse(team.POST(address, { params: { path }, body: { name, version } }))
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOf(environment, userId) }),
  })
}
