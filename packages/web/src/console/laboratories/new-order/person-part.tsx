import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { take } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { fillFromInfo, type Named, type OrderDraft } from './order-draft.ts'
import { errorOf, FormPart, type PartProps } from './part.tsx'
import { ChosenList, SearchPicker } from './search-picker.tsx'

interface PersonPartProps extends PartProps {
  update: (change: (draft: OrderDraft) => OrderDraft) => void
}

/** Whom the order is for. What is known of them fills the fields in that are still empty. */
export function PersonPart({ update, ...props }: PersonPartProps): ReactNode {
  const { draft, change, problems, isTried } = props
  const { team, key } = useEnvironment()
  const client = useQueryClient()
  const pick = async (person: Named<string>) => {
    change({ person })
    const params = { path: { user_id: person.id } }
    const info = await client
      .fetchQuery({
        queryKey: [...key, 'user_info', person.id],
        queryFn: () => take(team.GET('/v2/user/{user_id}/info/latest', { params })),
        retry: false,
      })
      .catch((error: unknown) => {
        // Nothing is known of many people, and the form says what is missing.
        if (error instanceof ApiError) return undefined
        throw error
      })
    if (info) update((now) => (now.person?.id === person.id ? fillFromInfo(now, info) : now))
  }
  return (
    <FormPart id="person" problems={problems} isTried={isTried} shown={['user_id']}>
      {draft.person ? (
        <ChosenList
          label="Person of the order"
          items={[draft.person]}
          nameOf={({ name }) => name}
          onRemove={() => change({ person: null })}
        />
      ) : (
        <SearchPicker<Named<string>>
          name="people"
          label="Find a person"
          placeholder="Name, e-mail, your own id of the person, or user id"
          fewest={0}
          error={errorOf(props, 'user_id')}
          search={async (query, signal) => {
            const body = { query: query || null, limit: 8 }
            const { users } = await take(team.POST('/v2/user/search', { body, signal }))
            return users.map((user) => {
              const name = [user.first_name, user.last_name].filter(Boolean).join(' ')
              return {
                key: user.user_id,
                title: name || user.client_user_id,
                detail: name ? user.client_user_id : undefined,
                item: { id: user.user_id, name: name || user.client_user_id },
              }
            })
          }}
          onPick={pick}
        />
      )}
    </FormPart>
  )
}
