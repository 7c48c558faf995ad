import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../api/client.ts'
import { type Environment, useEnvironment } from '../api/environment.ts'
import { nameOf } from '../people/person/person-name.ts'
import { type Found, SearchPicker } from './search-picker.tsx'

interface PersonPickerProps {
  label: string
  /** Id of the chosen person; empty when none is chosen. */
  value: string
  onChange: (userId: string) => void
}

interface Person {
  id: string
  name: string
}

/** Finds people by name, e-mail address or any id. */
export async function findPeople(
  { team }: Environment,
  words: string,
  signal: AbortSignal,
): Promise<Found<Person>[]> {
  const body = { query: words || null, limit: 8 }
  const { users } = await unwrapResponse(team.POST('/v2/user/search', { body, signal }))
  return users.map((user) => {
    const { user_id: id, client_user_id: ownId } = user
    const name = nameOf(user)
    return {
      key: id,
      title: name ?? ownId,
      detail: name === undefined ? undefined : ownId,
      item: { id, name: name ?? ownId },
    }
  })
}

/** A field that finds a person and keeps the choice until it is changed. */
export function PersonPicker({ label, value, onChange }: PersonPickerProps): ReactNode {
  const environment = useEnvironment()
  const { data: title } = useQuery({
    queryKey: [...environment.key, 'person-title', value],
    queryFn: async ({ signal }) => {
      const [person] = await findPeople(environment, value, signal)
      return person?.title ?? null
    },
    enabled: value !== '',
  })
  return (
    <SearchPicker<Person>
      name="people"
      label={label}
      placeholder="Name, e-mail or id"
      fewest={0}
      search={(words, signal) => findPeople(environment, words, signal)}
      picked={title ?? value}
      onPick={({ id }) => onChange(id)}
    />
  )
}
