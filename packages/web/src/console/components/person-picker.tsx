import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { take } from '../api/client.ts'
import { type Environment, useEnvironment } from '../api/environment.ts'
import { nameOf } from '../people/person/person-name.ts'
import { type Found, SearchPicker } from './search-picker.tsx'

interface PersonPickerProps {
  label: string
  /** Id of who is chosen; empty when nobody is. */
  value: string
  onChange: (userId: string) => void
}

interface Person {
  id: string
  name: string
}

/** People by name, e-mail address or any id. */
export async function findPeople(
  { team }: Environment,
  words: string,
  signal: AbortSignal,
): Promise<Found<Person>[]> {
  const body = { query: words || null, limit: 8 }
  const { users } = await take(team.POST('/v2/user/search', { body, signal }))
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

/** One person, who stays picked until it is another. */
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
